// What the bridge answers. Squares are numbered row-major from the top left, as first sees the board.

export type Side = 0 | 1

/** A cell of the board: "" or a letter, capital for first, lower case for second, "+" before it: promoted. */
export type Cell = string

export interface Move {
  text: string
  /** -1: a placement. */
  from: number
  /** -1: a pass. */
  to: number
  piece: Cell
}

export interface PlayedMove extends Move {
  side: Side
  /** What stood on the square it moved to, else "". */
  taken: Cell
  /** Steps of a chain; each step lists the squares whose pieces change owner in it. */
  flips: number[][]
}

export type Direction = [row: number, col: number, far: number]

export interface PieceInfo {
  names: [en: string, ja: string]
  directions: Direction[]
}

export interface GameInfo {
  name: string
  title: [en: string, ja: string]
  rows: number
  cols: number
  pieces: Record<Cell, PieceInfo>
  squares: string[]
  /** Pieces point forward, so the board may be turned for second. */
  oriented: boolean
  repetition: number
}

export type Hand = [letter: string, count: number][]

export interface View {
  game: string
  /** The position text where the history begins; "" for the start. */
  root: string
  cells: Cell[]
  hands: [Hand, Hand]
  turn: Side
  /** 0 running, 1 first has won, 2 second has won, 3 draw. */
  outcome: 0 | 1 | 2 | 3
  ending: string
  moves: Move[]
  played: PlayedMove[]
  regions: string[]
  /** Only after `play`: the cells one move earlier. */
  before?: Cell[]
}
