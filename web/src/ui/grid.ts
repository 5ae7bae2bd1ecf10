// The geometry of a drawn board: display order, small boards, and the labels at the rim. No rule.

/** Squares in the order in which they are drawn. */
export function displayOrder(rows: number, cols: number, rotated: boolean): number[] {
  const order = Array.from({ length: rows * cols }, (_, square) => square)
  return rotated ? order.reverse() : order
}

export interface RimLabels {
  rows: string[]
  cols: string[]
}

/**
 * The part of the square names that belongs to the row and the part that belongs to the column, as
 * drawn for first; empty when the names have no such parts.
 */
export function rimLabels(names: string[], rows: number, cols: number): RimLabels {
  const none = { rows: [], cols: [] }
  const size = names[0]?.length ?? 0
  if (rows < 2 || cols < 2 || names.some((name) => name.length !== size)) return none
  const at = (row: number, col: number, place: number) => names[row * cols + col]![place]!
  const range = (count: number) => Array.from({ length: count }, (_, i) => i)
  let rowPlace = -1
  let colPlace = -1
  for (const place of range(size)) {
    const alongRow = range(rows).every((r) => range(cols).every((c) => at(r, c, place) === at(r, 0, place)))
    const alongCol = range(cols).every((c) => range(rows).every((r) => at(r, c, place) === at(0, c, place)))
    if (alongRow && !alongCol) rowPlace = place
    if (alongCol && !alongRow) colPlace = place
  }
  if (rowPlace < 0 || colPlace < 0) return none
  return {
    rows: range(rows).map((row) => at(row, 0, rowPlace)),
    cols: range(cols).map((col) => at(0, col, colPlace)),
  }
}

/** How many small boards lie side by side: the square root of their number, 0 without any. */
export function regionsAcross(count: number): number {
  return count ? Math.round(Math.sqrt(count)) : 0
}

export function regionOf(square: number, rows: number, cols: number, across: number): number {
  const row = Math.floor(square / cols)
  const col = square % cols
  return Math.floor(row / (rows / across)) * across + Math.floor(col / (cols / across))
}

/** A place that has the keyboard's focus: `s12` a square, `h0R` first's rooks in hand. */
export type Spot = string

export interface Layout {
  rows: number
  cols: number
  /** Squares in display order. */
  order: number[]
  /** The hands' spots above and below the board, from left to right. */
  above: Spot[]
  below: Spot[]
}

const STEPS: Record<string, [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, -99],
  End: [0, 99],
}

const clamp = (value: number, most: number) => Math.min(Math.max(value, 0), most)

/** Where a key takes the focus; null when the key is none of ours. */
export function stepFocus(layout: Layout, spot: Spot, key: string): Spot | null {
  const step = STEPS[key]
  if (!step) return null
  const { rows, cols, order, above, below } = layout
  const [down, right] = step
  const handed = spot.startsWith('h')
  if (handed) {
    const hand = above.includes(spot) ? above : below
    const at = hand.indexOf(spot)
    if (right) return hand[clamp(at + right, hand.length - 1)]!
    if ((hand === above) !== down > 0) return spot
    const row = hand === above ? 0 : rows - 1
    return `s${order[row * cols + clamp(at, cols - 1)]}`
  }
  const at = order.indexOf(Number(spot.slice(1)))
  const row = Math.floor(at / cols) + down
  const col = clamp((at % cols) + right, cols - 1)
  const hand = row < 0 ? above : row >= rows ? below : null
  if (!hand) return `s${order[row * cols + col]}`
  return hand.length ? hand[clamp(col, hand.length - 1)]! : spot
}
