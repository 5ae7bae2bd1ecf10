// The polite live region: what a screen reader says when the board changes.

class Announcer {
  message = $state('')
}

export const announcer = new Announcer()

export function announce(message: string): void {
  announcer.message = message
}
