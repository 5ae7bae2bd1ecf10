// localStorage as JSON; a browser that refuses it (private mode, full) only forgets.

const PREFIX = 'gokaku.'

export function load<T>(name: string): T | null {
  try {
    const text = localStorage.getItem(PREFIX + name)
    return text === null ? null : (JSON.parse(text) as T)
  } catch {
    return null
  }
}

export function save(name: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value))
  } catch {
    // Nothing is lost but the memory across reloads.
  }
}

export function forget(name: string): void {
  try {
    localStorage.removeItem(PREFIX + name)
  } catch {
    // As above.
  }
}
