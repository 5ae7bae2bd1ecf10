// The bridge in MicroPython, as the worker runs it, over every registered rule file.

import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { startMachine, type Machine } from '../src/rules/micropython'
import type { GameInfo, View } from '../src/rules/types'

const folder = new URL('../../src/gokaku/games/', import.meta.url)
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.py') && file !== '__init__.py')
  .map((file) => file.slice(0, -3))

let machine: Machine
const ask = <T>(command: string, ...args: unknown[]) => machine.call(command, args) as T

beforeAll(async () => {
  machine = await startMachine()
  for (const name of names) machine.add(name, readFileSync(new URL(`${name}.py`, folder), 'utf8'))
})

/** A sequence of numbers that looks random and is the same each time. */
function dice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648
    return Math.floor((state / 2147483648) * below)
  }
}

function playOut(name: string, seed: number): View {
  const roll = dice(seed)
  let view = ask<View>('open', name, '', [])
  while (view.outcome === 0) view = ask<View>('play', view.moves[roll(view.moves.length)]!.text)
  delete view.before
  return view
}

describe.each(names)('%s', (name) => {
  it('describes itself', () => {
    const info = ask<GameInfo>('describe', name)
    expect(info.squares).toHaveLength(info.rows * info.cols)
    expect(info.title.every((title) => title.length > 0)).toBe(true)
    const start = ask<View>('open', name, '', [])
    expect(start.cells).toHaveLength(info.squares.length)
    for (const cell of start.cells) if (cell) expect(Object.keys(info.pieces)).toContain(cell)
  })

  it('looks at every earlier ply without touching the game', () => {
    const end = playOut(name, 2)
    const texts = end.played.map((move) => move.text)
    const looks = texts.map((_, ply) => ask<View>('look', ply))
    expect(ask<View>('look', texts.length)).toEqual(end)
    expect(ask<string>('record')).toContain(texts.at(-1)!)
    for (const [ply, view] of looks.entries()) {
      expect(view).toEqual(ask<View>('open', name, '', texts.slice(0, ply)))
    }
  })

  it('plays to the end, replays, takes back and reads its own record', () => {
    const end = playOut(name, 1)
    expect(end.ending).not.toBe('')
    expect(end.moves).toEqual([])
    const record = ask<string>('record')
    const texts = end.played.map((move) => move.text)
    expect(ask<View>('open', name, '', texts)).toEqual(end)
    expect(ask<View>('undo', 1).played).toEqual(end.played.slice(0, -1))
    expect(ask<View>('play', texts.at(-1)!).cells).toEqual(end.cells)
    expect(ask<View>('undo', texts.length + 5).played).toEqual([])
    expect(ask<View>('read', name, `# a comment\n${record}`)).toEqual(end)
  })

  it('says where each piece came from and what it was', () => {
    let view = ask<View>('open', name, '', [])
    const roll = dice(2)
    while (view.outcome === 0) {
      const cells = view.cells
      for (const move of view.moves) if (move.from >= 0) expect(move.piece).toBe(cells[move.from])
      view = ask<View>('play', view.moves[roll(view.moves.length)]!.text)
      expect(view.before).toEqual(cells)
      expect(view.played.at(-1)!.flips.flat().every((square) => cells[square] !== view.cells[square])).toBe(true)
    }
  })

  it('refuses a move that is not legal and keeps the game', () => {
    const view = playOut(name, 3)
    expect(() => ask('play', view.played[0]!.text)).toThrow('the game is over')
    expect(() => ask('open', name, '', ['nonsense'])).toThrow(/ply 1: .*nonsense/)
    expect(() => ask('read', name, 'nonsense')).toThrow('nonsense')
    expect(ask<View>('undo', 0)).toEqual(view)
  })

  it('ends by repetition where the game knows it', () => {
    const { repetition } = ask<GameInfo>('describe', name)
    if (!repetition) return
    const roll = dice(4)
    let ended: View | null = null
    for (let tries = 0; tries < 500 && !ended; tries++) {
      // Each side moves a piece there and back; random moves before make the positions differ.
      let view = ask<View>('open', name, '', [])
      for (let ply = 0; ply < 4 * repetition && view.outcome === 0; ply++) {
        const back = view.played.at(-2)
        const moves = view.moves.filter((move) => move.from >= 0 && !view.cells[move.to])
        const returning = moves.find((move) => back && move.from === back.to && move.to === back.from)
        const move = returning ?? moves[roll(moves.length)]
        if (!move) break
        view = ask<View>('play', move.text)
      }
      if (view.ending === 'repetition') ended = view
    }
    expect(ended?.outcome).toBeGreaterThan(0)
    expect(ended?.moves).toEqual([])
    // One move earlier the game was still running.
    expect(ask<View>('undo', 1).outcome).toBe(0)
  })
})
