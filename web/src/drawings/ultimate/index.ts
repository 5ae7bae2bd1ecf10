// Nine boards in one, with pen on paper.

import Stroke from '../shared/Stroke.svelte'
import type { Drawing } from '../registry'
import Card from './Card.svelte'

const drawing: Drawing = {
  Piece: Stroke,
  Card,
  board: 'paper',
  sides: { en: ['X', 'O'], ja: ['×', '○'] },
  howTo: {
    en: {
      summary: 'Nine boards in one. Your move says where the other side plays.',
      points: [
        'The board is made of nine small boards. Three in a row wins a small board.',
        'The square you take inside a small board says which small board the other side must play in next: top left sends it to the top left board, and so on. The highlighted boards show where you may play.',
        'If that board is already won or full, the next move may go to any open small board. So may the first move of the game.',
        'A small board that is won takes no more marks. One that fills up with no line belongs to nobody.',
        'Three won small boards in a row win the game. If all boards are closed and nobody has that, the side with more small boards wins; with equally many it is a draw.',
      ],
    },
    ja: {
      summary: '盤の中に九つの盤。打った場所が相手の行き先になります。',
      points: [
        '大きな盤は、九つの小さな盤でできています。三つ並べると、その小さな盤を取れます。',
        '小さな盤の中で打ったマスの位置が、相手が次に打つ小さな盤を決めます。左上に打てば、相手は左上の盤に打ちます。打てる盤には色がつきます。',
        'その盤がもう取られているか埋まっているときは、空いている好きな盤に打てます。最初の一手も自由です。',
        '取られた盤にはもう打てません。並ばずに埋まった盤はだれのものにもなりません。',
        '取った盤がたて、よこ、ななめに三つ並べば勝ちです。並ばないまま終わったら、取った盤の多い方の勝ち、同数なら引き分けです。',
      ],
    },
  },
}

export default drawing
