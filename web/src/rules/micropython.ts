// Starts MicroPython with rule files and the bridge; the same in a worker and in tests.

import { loadMicroPython } from '@micropython/micropython-webassembly-pyscript'
import bridge from './bridge.py?raw'

/** Bytes; the tables of a rule file are tuples at module level. */
const HEAP = 16 * 1024 * 1024

export interface Machine {
  /** Puts a rule file where the bridge finds it. */
  add(name: string, source: string): void
  /** Runs a bridge command; throws an Error with the rules' own message. */
  call(command: string, args: unknown[]): unknown
}

export async function startMachine(wasm?: string): Promise<Machine> {
  const python = await loadMicroPython({ url: wasm, heapsize: HEAP, pystack: 32 * 1024, linebuffer: true })
  python.FS.mkdir('/rules')
  python.runPython("import sys\nsys.path.insert(0, '/rules')")
  python.runPython(bridge)
  const call = python.globals.get('call') as (command: string, args: string) => string
  return {
    add(name, source) {
      python.FS.writeFile(`/rules/game_${name}.py`, source)
    },
    call(command, args) {
      const answer = JSON.parse(call(command, JSON.stringify(args))) as { ok?: unknown; error?: string }
      if (answer.error !== undefined) throw new Error(answer.error)
      return answer.ok
    },
  }
}
