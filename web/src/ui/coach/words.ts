// The coach's words for values and plies.

import type { MoveValue } from '../../state/api'
import { standing } from '../../state/coach'
import type { Coach } from '../../state/coach.svelte'
import { coachTexts } from '../../texts/coach'
import { sayer, sideName } from '../../texts/say.svelte'

export const say = sayer(coachTexts)

/** A value with its sign, as a whole number. */
export function signed(value: number): string {
  const whole = Math.round(value)
  return whole > 0 ? `+${whole}` : whole < 0 ? `−${-whole}` : '0'
}

/** What a move is worth: the end that it was proved to lead to, else its value. */
export function worth(one: MoveValue): string {
  const sign = standing(one)
  if (one.plies === 1 && sign === 1) return say('winsNow')
  if (one.plies !== null && sign) return say(sign > 0 ? 'winsIn' : 'losesIn', { plies: one.plies })
  return say('pointValue', { value: signed(one.value) })
}

/** A ply counted from 1: who moved what. 0 is the start. */
export function moveAt(coach: Coach, ply: number): string {
  const move = coach.played[ply - 1]
  return move ? say('moveOf', { ply, side: sideName(coach.session, move.side), move: move.text }) : say('start')
}

/** A ply and the value after it. */
export function tell(coach: Coach, ply: number): string {
  const value = coach.points[ply] ?? null
  return `${moveAt(coach, ply)} · ${value === null ? say('unknown') : say('pointValue', { value: signed(value) })}`
}
