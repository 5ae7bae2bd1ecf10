/// <reference types="svelte" />
/// <reference types="vite/client" />

declare module '@micropython/micropython-webassembly-pyscript' {
  interface MicroPython {
    FS: { mkdir(path: string): void; writeFile(path: string, text: string): void }
    globals: { get(name: string): unknown }
    runPython(code: string): unknown
  }
  interface Options {
    url?: string
    heapsize?: number
    pystack?: number
    linebuffer?: boolean
    stdout?: (line: string) => void
  }
  export function loadMicroPython(options?: Options): Promise<MicroPython>
}
