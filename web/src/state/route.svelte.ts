// The page's address is in the hash: #/, #/new/GAME, #/play/GAME, #/rules, #/rules/GAME, #/about, #/chain.

export type Page = 'home' | 'new' | 'play' | 'rules' | 'about' | 'chain'

export interface Route {
  page: Page
  game: string
}

export function parseHash(hash: string): Route {
  const [page = '', game = ''] = hash.replace(/^#?\/?/, '').split('/').map(decodeURIComponent)
  if ((page === 'new' || page === 'play') && game) return { page, game }
  if (page === 'rules') return { page, game }
  if (page === 'about' || page === 'chain') return { page, game: '' }
  return { page: 'home', game: '' }
}

export function address(page: Page, game = ''): string {
  if (page === 'home') return '#/'
  return game ? `#/${page}/${encodeURIComponent(game)}` : `#/${page}`
}

class Router {
  route = $state<Route>(parseHash(location.hash))

  constructor() {
    addEventListener('hashchange', () => {
      this.route = parseHash(location.hash)
    })
  }

  go(page: Page, game = ''): void {
    location.hash = address(page, game)
  }

  /** The same, in place of this page: the way back does not lead here again. */
  replace(page: Page, game = ''): void {
    location.replace(address(page, game))
  }
}

export const router = new Router()
