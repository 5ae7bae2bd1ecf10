// Three in a row, with pen on paper.

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
      summary: 'Three in a row. A minute a game.',
      points: [
        'Take turns putting your mark on an empty square: X first, then O.',
        'Three of your marks in a row, a column or a diagonal win.',
        'When all nine squares are taken and nobody has three in a row, it is a draw.',
      ],
    },
    ja: {
      summary: '三つ並べれば勝ち。一分で一局。',
      points: [
        '空いているマスに、先手は ×、後手は ○ を交代で書きます。',
        'たて、よこ、ななめのどれかに三つ並べた方の勝ちです。',
        '九マスが埋まっても三つ並ばなければ引き分けです。',
      ],
    },
  },
}

export default drawing
