// The rules' own thread: a long record or a slow phone never stops the page.

import wasm from '@micropython/micropython-webassembly-pyscript/micropython.wasm?url'
import { startMachine } from './micropython'

export interface Request {
  id: number
  command: string
  args: unknown[]
}

export interface Response {
  id: number
  value?: unknown
  error?: string
}

// Absolute, because a worker made from a blob or a data address has no directory of its own.
const machine = startMachine(new URL(wasm, self.location.href).href)

self.onmessage = async (event: MessageEvent<Request>) => {
  const { id, command, args } = event.data
  try {
    const ready = await machine
    let value: unknown
    if (command === 'add') ready.add(args[0] as string, args[1] as string)
    else value = ready.call(command, args)
    self.postMessage({ id, value } satisfies Response)
  } catch (error) {
    self.postMessage({ id, error: error instanceof Error ? error.message : String(error) } satisfies Response)
  }
}
