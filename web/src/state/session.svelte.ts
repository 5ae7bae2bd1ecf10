// The game in play: asks the rules and the opponent, shows their answers, keeps the record.
// It decides nothing: every move, the opponent's too, goes through the rules.

import { rules } from '../rules/client'
import type { Cell, GameInfo, Move, PlayedMove, Side, View } from '../rules/types'
import { ApiError, askReply, wait } from './api'
import { announce } from './announce.svelte'
import { passes, sameSelection, targetSquares, touchSquare, canSelect, type Selection } from './choose'
import { newSetup, saveGame, type SavedGame, type Setup } from './saved'
import { calm, settings } from './settings.svelte'
import { moveSentence, resultSentence, sideName, text } from '../texts/say.svelte'

/** One step of a chain of flips. */
export const FLIP_MS = 180
/** An answer that comes at once looks like none. */
const THINK_MS = 300
const ENGINE_MS = 1000

export interface Result {
  winner: Side | null
  reason: string
}

export interface Trouble {
  kind: 'unreachable' | 'refused'
  message: string
}

export class Session {
  setup = $state.raw<Setup>(null!)
  readonly info: GameInfo
  view = $state.raw<View>(null!)
  /** An earlier ply that is looked at; nothing can be played then. */
  past = $state.raw<View | null>(null)
  /** The view's cells; behind it while flips are shown step by step. */
  private stepped = $state.raw<Cell[]>([])
  turning = $state.raw<Set<number>>(new Set())
  /** The step of the chain being shown, else 0. */
  chain = $state(0)
  selection = $state.raw<Selection>(null)
  /** Moves between which the person has to choose. */
  choice = $state.raw<Move[]>([])
  resigned = $state<Side | null>(null)
  thinking = $state(false)
  busyFor = $state<number | null>(null)
  trouble = $state.raw<Trouble | null>(null)
  /** A move is being shown. */
  private showing = $state(false)
  private asked: AbortController | null = null
  private closed = false
  private looks = 0

  /** name: the opponent's, null where it is not told. */
  constructor(
    setup: Setup,
    info: GameInfo,
    readonly name: string | null,
  ) {
    this.setup = setup
    this.info = info
  }

  static async open(saved: SavedGame, info: GameInfo, name: string | null): Promise<Session> {
    const { root, moves, resigned, ...setup } = saved
    const session = new Session(setup, info, name)
    session.show(await rules.open(setup.game, root, moves))
    session.resigned = resigned
    session.keep()
    return session
  }

  static begin(setup: Setup, info: GameInfo, name: string | null): Promise<Session> {
    return Session.open({ ...setup, root: '', moves: [], resigned: null }, info, name)
  }

  close(): void {
    this.closed = true
    this.stopAsking()
  }

  /** The same people once more. */
  async restart(): Promise<void> {
    const { game, opponent, side } = this.setup
    this.stopAsking()
    this.setup = newSetup(game, opponent, side)
    this.reset(await rules.open(game, '', []))
    await this.answer()
  }

  get friend(): boolean {
    return this.setup.opponent === null
  }

  /** The side that sits at the bottom. */
  get near(): Side {
    return this.setup.side
  }

  get rotated(): boolean {
    return this.info.oriented && this.near === 1
  }

  /** What the board shows: the game in play, or an earlier ply. */
  get shown(): View {
    return this.past ?? this.view
  }

  get cells(): Cell[] {
    return this.past ? this.past.cells : this.stepped
  }

  get last(): PlayedMove | null {
    return this.shown.played.at(-1) ?? null
  }

  get result(): Result | null {
    if (this.showing) return null
    if (this.resigned !== null) return { winner: this.resigned === 0 ? 1 : 0, reason: 'resigned' }
    const { outcome, ending } = this.view
    if (outcome === 0) return null
    return { winner: outcome === 3 ? null : outcome === 1 ? 0 : 1, reason: ending }
  }

  get over(): boolean {
    return this.resigned !== null || this.view.outcome !== 0
  }

  /** A person may touch the board now. */
  get mayMove(): boolean {
    return !this.over && !this.showing && !this.past && (this.friend || this.view.turn === this.near)
  }

  get targets(): Set<number> {
    return this.mayMove ? targetSquares(this.view, this.selection) : new Set()
  }

  get passMoves(): Move[] {
    return this.mayMove ? passes(this.view.moves) : []
  }

  get undoable(): number {
    if (this.showing) return 0
    const { played } = this.view
    if (this.friend) return Math.min(1, played.length)
    // Back to where the person was to move: never only the opponent's half.
    for (let plies = 1; plies <= played.length; plies++) {
      if (played[played.length - plies]!.side === this.near) return plies
    }
    return 0
  }

  canPick(selection: Selection): boolean {
    return this.mayMove && canSelect(this.view.moves, selection)
  }

  touch(square: number): void {
    if (!this.mayMove) return
    this.choice = []
    const meaning = touchSquare(this.view, this.selection, square)
    if ('select' in meaning) this.select(meaning.select)
    else if (meaning.play.length === 1) void this.play(meaning.play[0]!.text)
    else this.choice = meaning.play
  }

  touchHand(side: Side, letter: string): void {
    if (!this.mayMove || side !== this.view.turn) return
    const next: Selection = { drop: letter }
    this.select(sameSelection(this.selection, next) || !this.canPick(next) ? null : next)
  }

  select(selection: Selection): void {
    this.selection = selection
    this.choice = []
  }

  async play(move: string): Promise<void> {
    this.select(null)
    this.showing = true
    try {
      const view = await rules.play(move)
      if (this.closed) return
      await this.present(view)
    } finally {
      this.showing = false
    }
    this.keep()
    if (this.result) announce(resultSentence(this, this.result))
    await this.answer()
  }

  /** Asks the opponent when it is its turn; called after each move, after undo and on a retry. */
  async answer(): Promise<void> {
    const { opponent } = this.setup
    if (opponent === null || this.over || this.closed || this.view.turn === this.near || this.asked) return
    const asked = new AbortController()
    this.asked = asked
    this.thinking = true
    this.trouble = null
    let move: string | null = null
    try {
      const pause = wait(THINK_MS, asked.signal)
      pause.catch(() => {})
      const reply = await askReply(this.question(opponent), asked.signal, (seconds) => {
        this.busyFor = Math.ceil(seconds)
      })
      await pause
      move = reply.move
    } catch (error) {
      if (!asked.signal.aborted) this.fail(error)
    } finally {
      if (this.asked === asked) {
        this.asked = null
        this.thinking = false
        this.busyFor = null
      }
    }
    if (move === null || asked.signal.aborted) return
    try {
      await this.play(move)
    } catch (error) {
      this.fail(error)
    }
  }

  private question(opponent: string) {
    const { game, seed } = this.setup
    const { root, played } = this.view
    return {
      game,
      ...(root ? { position: root } : {}),
      moves: played.map((move) => move.text),
      opponent,
      limit_ms: ENGINE_MS,
      // Another number each ply, the same one after a reload.
      seed: (seed + played.length) & 0x7fffffff,
      explain: settings.explain,
    }
  }

  private fail(error: unknown): void {
    const kind = error instanceof ApiError ? error.kind : 'refused'
    this.trouble = { kind, message: error instanceof Error ? error.message : String(error) }
    announce(text(kind === 'unreachable' ? 'unreachable' : 'refused'))
  }

  async undo(): Promise<void> {
    const plies = this.undoable
    if (!plies) return
    this.stopAsking()
    this.reset(await rules.undo(plies))
    announce(text('undone', { side: sideName(this, this.view.turn) }))
  }

  resign(): void {
    if (this.over) return
    this.stopAsking()
    this.trouble = null
    this.select(null)
    this.resigned = this.friend ? this.view.turn : this.near
    this.keep()
    if (this.result) announce(resultSentence(this, this.result))
  }

  /** Shows the board after that many plies, without touching the game; the last ply is the game in play. */
  async look(ply: number): Promise<void> {
    const look = ++this.looks
    this.select(null)
    const past = ply < this.view.played.length ? await rules.look(Math.max(0, ply)) : null
    // Another look, or a move, may have come between.
    if (look === this.looks) this.past = past
  }

  private lookUp(): void {
    this.looks++
    this.past = null
  }

  record(): Promise<string> {
    return rules.record()
  }

  /** Replaces the game by a record's; rejects when the record is not of this game. */
  async read(record: string): Promise<void> {
    const view = await rules.read(this.setup.game, record)
    this.stopAsking()
    this.reset(view)
    await this.answer()
  }

  private stopAsking(): void {
    this.asked?.abort()
    this.asked = null
    this.thinking = false
    this.busyFor = null
  }

  /** Another position than the one that came by playing. */
  private reset(view: View): void {
    this.select(null)
    this.resigned = null
    this.trouble = null
    this.show(view)
    this.keep()
  }

  private show(view: View): void {
    this.lookUp()
    this.view = view
    this.stepped = view.cells
    this.turning = new Set()
    this.chain = 0
  }

  private async present(view: View): Promise<void> {
    const before = view.before ?? view.cells
    const move = view.played.at(-1)!
    const steps = move.flips
    announce(moveSentence(this, move))
    if (!steps.length || calm()) {
      this.show(view)
      return
    }
    const cells = [...view.cells]
    for (const square of steps.flat()) cells[square] = before[square]!
    this.lookUp()
    this.view = view
    this.stepped = cells
    await wait(FLIP_MS)
    for (const [index, step] of steps.entries()) {
      if (this.closed) return
      const next = [...this.stepped]
      for (const square of step) next[square] = view.cells[square]!
      this.chain = index + 1
      this.turning = new Set(step)
      this.stepped = next
      await wait(FLIP_MS)
    }
    this.show(view)
  }

  private keep(): void {
    if (this.closed) return
    const { root, played } = this.view
    saveGame({ ...this.setup, root, moves: played.map((move) => move.text), resigned: this.resigned })
  }
}
