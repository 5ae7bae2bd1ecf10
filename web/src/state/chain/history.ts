// One's games, from the contract's events. Networks answer for so many blocks at a time only, each for another number:
// the way goes back from the newest in pieces, smaller ones where a piece is refused, and stops after so many.

interface Numbered {
  /** A game's number, in digits. */
  id: string
}

export interface Seen<Row extends Numbered = Numbered> {
  /** The blocks from `low` to `high` have been looked through; none if `high` is `low - 1`. */
  low: number
  high: number
  /** Newest first. */
  rows: Row[]
}

/** Asks for what is in these blocks, both ends included. */
export type Ask<Row> = (from: number, to: number) => Promise<Row[]>

export const NOTHING = { low: 0, high: -1, rows: [] }

const PIECE = 10_000
const SMALLEST = 500
const REQUESTS = 20

/** The next piece below `low`, or above `high`, that does not reach beyond the end. */
export const below = (low: number, size: number): [number, number] => [Math.max(0, low - size), low - 1]
export const above = (high: number, size: number, head: number): [number, number] => [high + 1, Math.min(head, high + size)]

/** Looks through what is new, and then further back while the requests last. Throws what the network said, with all
 * that was found before that kept in `keep`. */
export async function look<Row extends Numbered>(seen: Seen<Row>, head: number, ask: Ask<Row>, keep: (seen: Seen<Row>) => void): Promise<Seen<Row>> {
  let now = start(seen, head)
  let size = PIECE
  for (let request = 0; request < REQUESTS; request++) {
    const up = now.high < head
    if (!up && now.low === 0) break
    const [from, to] = up ? above(now.high, size, head) : below(now.low, size)
    let rows: Row[]
    try {
      rows = await ask(from, to)
    } catch (error) {
      size = Math.floor(Math.min(size, to - from + 1) / 2)
      if (size < SMALLEST) throw error
      continue
    }
    rows = merged(now.rows, rows)
    now = up ? { ...now, high: to, rows } : { ...now, low: from, rows }
    keep(now)
  }
  return now
}

/** What is known of a game already stands. */
export function merged<Row extends Numbered>(known: Row[], more: Row[]): Row[] {
  const all = new Map([...more, ...known].map((row) => [row.id, row]))
  return [...all.values()].sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1))
}

/** A chain shorter than remembered is another one. What is too far behind is looked for from the newest block back. */
function start<Row extends Numbered>(seen: Seen<Row>, head: number): Seen<Row> {
  if (seen.high > head) return { low: head + 1, high: head, rows: [] }
  if (head - seen.high > PIECE * (REQUESTS / 2)) return { low: head + 1, high: head, rows: seen.rows }
  return seen
}
