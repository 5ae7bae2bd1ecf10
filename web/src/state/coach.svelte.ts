// The coach watches a game and asks the server what its positions are worth: one question at a time, never in the way
// of the opponent's answer, dropped when the game takes another turn. Where the server has no time the coach says less.

import { askAnalysis, wait, type Analysis } from './api'
import { accuracy, curve, judge, shared, turningPoint, wanted, type Sign } from './coach'
import type { Session } from './session.svelte'
import type { Side } from '../rules/types'

const LOOK_MS = 200
const PAUSE_MS = 3000
/** So many refusals in a row, and the coach waits for the next move. */
const PATIENCE = 3

export class Coach {
  found = $state.raw<(Analysis | undefined)[]>([])
  /** The server has had no time. */
  silent = $state(false)
  private root = ''
  private moves: string[] = []
  private asked: { ply: number; stop: AbortController } | null = null
  private refusals = 0

  constructor(readonly session: Session) {}

  /** The side whose moves are judged; null with a friend: both. */
  get own(): Side | null {
    return this.session.friend ? null : this.session.near
  }

  get played() {
    return this.session.view.played
  }

  /** The result on the board: a game that was resigned has none there. */
  get end(): Sign {
    const { outcome } = this.session.view
    return outcome === 0 ? null : outcome === 1 ? 1 : outcome === 2 ? -1 : 0
  }

  /** The result of the game. */
  get result(): Sign {
    const { resigned } = this.session
    return resigned === null ? this.end : resigned === 0 ? -1 : 1
  }

  get points(): (number | null)[] {
    return curve(this.found, this.played.length, this.session.near, this.end)
  }

  /** How many of the moves are judged. */
  get known(): number {
    return this.played.filter((_, ply) => this.found[ply]).length
  }

  get turningPoint(): number | null {
    return turningPoint(this.found, this.played.length, this.result, this.end)
  }

  /** The ply that the coach speaks of, counted from 1: the one looked at, else the person's last. 0: none. */
  get ply(): number {
    if (this.session.past) return this.session.past.played.length
    return 1 + this.played.findLastIndex((move) => this.own === null || move.side === this.own)
  }

  /** The ply shown on the board. */
  get at(): number {
    return this.session.shown.played.length
  }

  judged(ply: number) {
    return ply > 0 ? judge(this.found[ply - 1], this.played[ply - 1]!.text) : null
  }

  accuracy(side: Side) {
    return accuracy(this.found, this.played, side)
  }

  /** Called whenever the game has changed. */
  follow(): void {
    const { root, played } = this.session.view
    const moves = played.map((move) => move.text)
    const same = root === this.root ? shared(moves, this.moves) : -1
    if (same < Math.max(moves.length, this.moves.length)) {
      if (this.asked && this.asked.ply > same) this.close()
      this.found = this.found.slice(0, same + 1)
      this.root = root
      this.moves = moves
      this.refusals = 0
    }
    void this.ask()
  }

  close(): void {
    this.asked?.stop.abort()
    this.asked = null
  }

  private next(): number | undefined {
    return wanted(this.found, this.played, this.own, this.end, !this.session.thinking)[0]
  }

  private async ask(): Promise<void> {
    const ply = this.next()
    if (this.asked?.ply === ply) return
    this.close()
    if (ply === undefined || this.refusals >= PATIENCE) return
    const stop = new AbortController()
    this.asked = { ply, stop }
    const { root, moves } = this
    const place = { game: this.session.setup.game, ...(root ? { position: root } : {}), moves: moves.slice(0, ply) }
    try {
      const analysis = await askAnalysis(place, LOOK_MS, stop.signal)
      if (stop.signal.aborted) return
      const found = [...this.found]
      found[ply] = analysis
      this.found = found
      this.refusals = 0
      this.silent = false
    } catch {
      if (stop.signal.aborted) return
      this.refusals++
      this.silent = true
      await wait(PAUSE_MS, stop.signal).catch(() => {})
      if (stop.signal.aborted) return
    }
    this.asked = null
    void this.ask()
  }
}
