// Animals on a meadow of three by four.

import type { Drawing } from '../registry'
import Animal from './Animal.svelte'
import Card from './Card.svelte'

const drawing: Drawing = {
  Piece: Animal,
  Card,
  board: 'meadow',
  howTo: {
    en: {
      summary: 'A very small shogi. Catch the lion.',
      points: [
        'Take turns moving one animal. The dots on an animal show where it may step: always one square.',
        'Step on an animal of the other side and it is yours: it goes to your hand. Instead of moving you may put one from your hand on any empty square.',
        'A chick that steps onto the last row becomes a hen. A chick that is put there stays a chick. A hen that is taken becomes a chick again.',
        'Catch the lion and you win.',
        'You also win when your lion reaches the far row and cannot be taken there on the next move.',
        'When the same position comes up for the third time, it is a draw.',
      ],
    },
    ja: {
      summary: 'とても小さな将棋。ライオンをつかまえよう。',
      points: [
        '交代で動物を一つ動かします。動物の点が、進めるところです。いつも一マスです。',
        '相手の動物のいるマスに進むと、その動物は自分の持ち駒になります。動かすかわりに、持ち駒を空いたマスに置くこともできます。',
        'ひよこが一番奥に進むと、にわとりになります。奥に置いたひよこは、ひよこのままです。取られたにわとりは、ひよこに戻ります。',
        '相手のライオンをつかまえたら勝ちです。',
        '自分のライオンが一番奥に着いて、次の手で取られなければ、それも勝ちです。',
        '同じ局面が三回あらわれたら引き分けです。',
      ],
    },
  },
}

export default drawing
