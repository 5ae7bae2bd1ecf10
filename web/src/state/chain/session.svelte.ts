// The page on the chain as a state: where one plays, with which account, the game on the board, the transaction that
// is under way, what it cost, what went wrong. What happens on the board only the contract says.

import type { Address } from 'viem'
import { getJson } from '../api'
import { load, save } from '../storage'
import { Contract, NO_CELL, type Created, type ContractFile, type Deployment, type Game, type Mined, type Played, type Step } from './contract'
import type { Cost } from './cost'
import { look, merged, NOTHING, type Seen } from './history'
import type { Kept } from './local'
import { problemOf, type Problem } from './problems'
import { type Provider } from './provider'
import { switchTo } from './switch'
import { discover, type Wallet } from './wallets'

/** The page's own EVM, among the names of wallets. */
export const HERE = 'here'

/** Where the page stands with the wallet. */
export type Link =
  | { at: 'opening' | 'connecting' }
  /** `failed`: the problem says why. */
  | { at: 'noAccount' | 'failed' }
  | { at: 'wrongNetwork'; chain: number }
  | { at: 'notThere'; deployment: Deployment }
  | { at: 'ready'; contract: Contract }

export interface Row {
  id: string
  difficulty: number
  cpuFirst: boolean
  /** As when it was last asked for. */
  result: number
}

interface Remembered {
  seen: Seen<Row>
  open: string | null
}

const SHOWN = 8

export class ChainSession {
  wallets = $state.raw<Wallet[]>([])
  place = $state(HERE)
  link = $state.raw<Link>({ at: 'opening' })
  game = $state.raw<Game | null>(null)
  /** The cells of the last transaction. */
  fresh = $state.raw<number[]>([])
  step = $state.raw<Step | null>(null)
  /** The cell that the transaction under way is to take. */
  wanted = $state<number | null>(null)
  problem = $state.raw<Problem | null>(null)
  paid = $state.raw<{ cost: Cost; hash: string } | null>(null)
  seen = $state.raw<Seen<Row>>(NOTHING)
  shown = $state(SHOWN)
  /** Whose games are being looked for. */
  private searching = $state.raw<Contract | null>(null)
  /** Why the look through the blocks ended early. */
  stopped = $state.raw<Problem | null>(null)

  private chosen = false
  private leave: () => void
  private unhear = () => {}
  private local: Promise<{ provider: Provider; deployment: Deployment }> | null = null

  private constructor(
    private readonly file: ContractFile,
    readonly deployments: Deployment[],
  ) {
    const usual = load<string>('chain.place') ?? HERE
    this.leave = discover((wallet) => {
      this.wallets = [...this.wallets, wallet]
      if (wallet.id === usual && !this.chosen) void this.choose(usual, false)
    })
    if (!this.chosen) void this.choose(HERE, false)
    // A wallet that comes late is still the usual one, unless the person has chosen since.
    this.chosen = this.place === usual
  }

  static async open(): Promise<ChainSession> {
    const [file, { deployments }] = await Promise.all([
      getJson<ContractFile>('/chain/solo.json'),
      getJson<{ deployments: Deployment[] }>('/api/v1/chain'),
    ])
    return new ChainSession(file, deployments)
  }

  close(): void {
    this.leave()
    this.unhear()
    this.link = { at: 'opening' }
  }

  get contract(): Contract | null {
    return this.link.at === 'ready' ? this.link.contract : null
  }

  get looking(): boolean {
    return this.searching !== null && this.searching === this.contract
  }

  get wallet(): Wallet | undefined {
    return this.wallets.find(({ id }) => id === this.place)
  }

  // --- where ---

  /** Plays there from now on. ask: the wallet may open a window. */
  async choose(place: string, ask = true): Promise<void> {
    this.chosen = true
    this.place = place
    if (ask) save('chain.place', place)
    this.unhear()
    const wallet = this.wallet
    if (wallet) this.hear(wallet.provider)
    await this.attach(ask)
  }

  private hear(provider: Provider): void {
    const again = () => void this.attach(false)
    const events = ['accountsChanged', 'chainChanged']
    for (const event of events) provider.on?.(event, again)
    this.unhear = () => events.forEach((event) => provider.removeListener?.(event, again))
  }

  /** Finds out account and network anew. */
  async attach(ask: boolean): Promise<void> {
    const link: Link = { at: this.wallet ? 'connecting' : 'opening' }
    this.link = link
    this.game = this.step = this.wanted = this.problem = this.paid = this.stopped = null
    this.seen = NOTHING
    this.shown = SHOWN
    try {
      const found = await this.reach(ask)
      // Meanwhile something else was chosen.
      if (this.link !== link) return
      this.link = found
      if (found.at === 'ready') await this.recall(found.contract)
    } catch (error) {
      if (this.link !== link) return
      this.problem = problemOf(error)
      this.link = { at: this.problem.kind === 'refused' ? 'noAccount' : 'failed' }
    }
  }

  private async reach(ask: boolean): Promise<Link> {
    const wallet = this.wallet
    const own = wallet ? null : await this.here()
    const provider = wallet?.provider ?? own!.provider
    const accounts = (await provider.request({ method: ask ? 'eth_requestAccounts' : 'eth_accounts' })) as Address[]
    // In one spelling, which is part of what is kept.
    const account = accounts[0]?.toLowerCase() as Address | undefined
    if (!account) return { at: 'noAccount' }
    const chain = Number(await provider.request({ method: 'eth_chainId' }))
    const deployment = (own ? [own.deployment] : this.deployments).find((one) => one.chain === chain)
    if (!deployment) return { at: 'wrongNetwork', chain }
    const contract = new Contract(provider, deployment, account, this.file)
    return (await contract.stands()) ? { at: 'ready', contract } : { at: 'notThere', deployment }
  }

  /** The page's own EVM, fetched when it is first wanted. */
  private here() {
    this.local ??= this.start()
    this.local.catch(() => (this.local = null))
    return this.local
  }

  private async start() {
    const { Local, LOCAL_CHAIN } = await import('./local')
    const provider = await Local.open(this.file, {
      load: () => load<Kept>('chain.here'),
      save: (kept) => save('chain.here', kept),
    })
    const deployment = { chain: LOCAL_CHAIN, name: HERE, title: '', address: provider.address, rpc: '', explorer: '', currency: '' }
    return { provider, deployment }
  }

  /** Asks the wallet to go to a network with the contract. */
  async switch(deployment: Deployment): Promise<void> {
    const { wallet } = this
    if (!wallet) return
    this.problem = null
    try {
      await switchTo(wallet.provider, deployment)
      await this.attach(false)
    } catch (error) {
      this.problem = problemOf(error)
    }
  }

  // --- playing ---

  begin(difficulty: number, cpuFirst: boolean): Promise<void> {
    return this.act<Created>(
      (contract, tell) => contract.newGame(difficulty, cpuFirst, tell),
      ({ gameId, cpuCell }, contract) => {
        const taken = cpuCell === NO_CELL ? [] : [cpuCell]
        const cells = Array.from({ length: 9 }, (_, cell) => (cell === cpuCell ? 2 : 0))
        this.show({ id: gameId, player: contract.account, cells, moves: taken.length, difficulty, result: 0, cpuFirst }, taken)
      },
    )
  }

  play(cell: number): Promise<void> {
    const { game } = this
    if (!game || this.step) return Promise.resolve()
    this.wanted = cell
    return this.act<Played>(
      (contract, tell) => contract.play(game, cell, tell),
      ({ playerCell, cpuCell, result }) => {
        const taken = cpuCell === NO_CELL ? [playerCell] : [playerCell, cpuCell]
        const cells = game.cells.map((owner, at) => (at === playerCell ? 1 : at === cpuCell ? 2 : owner))
        this.show({ ...game, cells, moves: game.moves + taken.length, result }, taken)
      },
    )
  }

  /** One transaction at a time, from the question whether the contract would take it to its receipt. */
  private async act<Event>(
    send: (contract: Contract, tell: (step: Step) => void) => Promise<Mined<Event>>,
    settle: (event: Event, contract: Contract) => void,
  ): Promise<void> {
    const { contract } = this
    if (!contract || this.step) return
    const here = () => this.contract === contract
    this.problem = null
    this.step = { at: 'asking' }
    try {
      const mined = await send(contract, (step) => here() && (this.step = step))
      if (!here()) return
      this.paid = mined
      if (mined.event) settle(mined.event, contract)
      else this.problem = { kind: 'replaced', detail: '' }
    } catch (error) {
      if (here()) this.problem = problemOf(error)
    }
    if (!here()) return
    const { problem } = this
    if (problem?.kind === 'replaced' || problem?.kind === 'late' || (problem?.kind === 'contract' && problem.name === 'GameMovedOn')) await this.refresh(contract)
    if (here()) this.step = this.wanted = null
  }

  /** The board as the contract has it. */
  private async refresh(contract: Contract): Promise<void> {
    const { game } = this
    const found = game && (await contract.game(game.id).catch(() => null))
    if (found && this.contract === contract) this.show(found, [])
  }

  lookAgain(): Promise<void> {
    this.problem = null
    return this.contract ? this.refresh(this.contract) : Promise.resolve()
  }

  private show(game: Game, fresh: number[]): void {
    this.game = game
    this.fresh = fresh
    this.note({ id: String(game.id), difficulty: game.difficulty, cpuFirst: game.cpuFirst, result: game.result })
  }

  // --- one's games ---

  async open(id: string): Promise<void> {
    const { contract } = this
    if (!contract || this.step) return
    this.problem = this.paid = null
    try {
      const game = await contract.game(BigInt(id))
      if (this.contract === contract) this.show(game, [])
    } catch (error) {
      if (this.contract === contract) this.problem = problemOf(error)
    }
  }

  private async recall(contract: Contract): Promise<void> {
    const kept = load<Remembered>(this.key(contract))
    this.seen = kept?.seen ?? NOTHING
    const game = kept?.open ? await contract.game(BigInt(kept.open)).catch(() => null) : null
    if (this.contract !== contract) return
    if (game?.player.toLowerCase() === contract.account) this.show(game, [])
    await this.search()
  }

  /** Looks through the blocks for games: the new ones, and some way back. */
  async search(): Promise<void> {
    const { contract } = this
    if (!contract || this.searching === contract) return
    const here = () => this.contract === contract
    this.searching = contract
    this.stopped = null
    try {
      const head = Number(await contract.head())
      const ask = async (from: number, to: number) =>
        (await contract.created(BigInt(from), BigInt(to))).map(({ gameId, difficulty, cpuFirst }) => ({ id: String(gameId), difficulty, cpuFirst, result: 0 }))
      await look(this.seen, head, ask, (seen) => here() && this.keep({ ...seen, rows: merged(this.seen.high > head ? [] : this.seen.rows, seen.rows) }))
      if (here()) await this.results(contract)
    } catch (error) {
      if (here()) this.stopped = problemOf(error)
    } finally {
      if (this.searching === contract) this.searching = null
    }
  }

  /** How those games stand that are shown and were not over when last asked for. */
  async results(contract: Contract): Promise<void> {
    for (const row of this.seen.rows.slice(0, this.shown).filter(({ result }) => result === 0)) {
      const game = await contract.game(BigInt(row.id)).catch(problemOf)
      if (this.contract !== contract) return
      const gone = 'kind' in game ? game.kind === 'contract' : game.player.toLowerCase() !== contract.account
      if (gone) this.keep({ ...this.seen, rows: this.seen.rows.filter(({ id }) => id !== row.id) })
      else if ('result' in game) this.note({ ...row, result: game.result })
    }
  }

  more(): void {
    this.shown += SHOWN
    if (this.contract) void this.results(this.contract)
  }

  private note(row: Row): void {
    this.keep({ ...this.seen, rows: merged([row], this.seen.rows) })
  }

  private keep(seen: Seen<Row>): void {
    this.seen = seen
    if (this.contract) save(this.key(this.contract), { seen, open: this.game ? String(this.game.id) : null } satisfies Remembered)
  }

  private key({ deployment, account }: Contract): string {
    return `chain.${deployment.chain}.${deployment.address}.${account}`
  }
}
