// Wooden wedges that change sides.

import type { Drawing } from '../registry'
import Card from './Card.svelte'
import Wedge from './Wedge.svelte'

const drawing: Drawing = {
  Piece: Wedge,
  Card,
  board: 'wood',
  howTo: {
    en: {
      summary: 'Shogi where sandwiched pieces change sides, and the change spreads.',
      points: [
        'Each turn you either move a piece or drop one from your hand on an empty square. The marks on a piece show where it may go.',
        'Move onto a piece of the other side to take it into your hand. Take the king and you win.',
        'A dropped piece turns pieces over. From it, look in all eight directions: a row of enemy pieces with no gap that ends in a piece of yours, or at the edge of the board, is sandwiched.',
        'Sandwiched pieces become yours and promote at once: a pawn moves like a gold general, a rook becomes a dragon, a bishop a horse.',
        'Every piece turned over looks around in the same way, so a drop can set off a chain of up to five steps.',
        'A king never turns, and an enemy piece next to its own king is guarded: it does not turn either.',
        'A pawn may not be dropped on the last row or moved there. Two pawns in a column are allowed. Moving never promotes.',
        'When two passes follow each other, or the same position comes up for the fourth time, the side with more pieces on the board wins.',
      ],
    },
    ja: {
      summary: 'はさまれた駒が寝返り、寝返りが連鎖する将棋。',
      points: [
        '手番では、駒を一つ動かすか、持ち駒を空いたマスに打ちます。駒の印が進めるところです。',
        '相手の駒のあるマスに動くと、その駒を取って持ち駒にします。玉を取れば勝ちです。',
        '打った駒は相手の駒を寝返らせます。打ったマスから八方向を見て、すき間なく続く相手の駒の先に自分の駒か盤の端があれば、はさまれています。',
        'はさまれた駒は自分のものになり、その場で成ります。歩はと金、飛車は龍、角は馬になります。',
        '寝返った駒も同じように八方向を見ます。こうして一手で最大五段まで連鎖します。',
        '玉は寝返りません。自分の玉のとなりにいる駒も、守られていて寝返りません。',
        '歩は一番奥の段に打つことも進むこともできません。二歩はかまいません。動かして成ることはありません。',
        'パスが二回続くか、同じ局面が四回あらわれたら、盤上の駒の多い方の勝ちです。',
      ],
    },
  },
}

export default drawing
