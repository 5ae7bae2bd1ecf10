// Language and theme: the reader's choice, else the browser's; and whether the game is explained. Kept in localStorage.

import { MediaQuery } from 'svelte/reactivity'
import { load, save } from './storage'

export type Lang = 'en' | 'ja'
export type Theme = 'auto' | 'light' | 'dark'

function firstLanguage(): Lang {
  const kept = load<Lang>('lang')
  if (kept === 'en' || kept === 'ja') return kept
  return navigator.language.toLowerCase().startsWith('ja') ? 'ja' : 'en'
}

function firstTheme(): Theme {
  const kept = load<Theme>('theme')
  return kept === 'light' || kept === 'dark' ? kept : 'auto'
}

const darkScreen = new MediaQuery('(prefers-color-scheme: dark)')

class Settings {
  lang = $state<Lang>(firstLanguage())
  theme = $state<Theme>(firstTheme())
  /** Off: no word of who plays how, nor of how the game stands, and none is fetched. */
  explain = $state(load<boolean>('explain') !== false)

  /** Writes language and theme to the document; called in an effect. */
  apply(): void {
    document.documentElement.lang = this.lang
    if (this.theme === 'auto') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = this.theme
  }

  setLang(lang: Lang): void {
    this.lang = lang
    save('lang', lang)
  }

  /** Goes to the theme that is not shown now. */
  switchTheme(): void {
    this.theme = this.dark ? 'light' : 'dark'
    save('theme', this.theme)
  }

  setExplain(on: boolean): void {
    this.explain = on
    save('explain', on)
  }

  get dark(): boolean {
    if (this.theme !== 'auto') return this.theme === 'dark'
    return darkScreen.current
  }
}

export const settings = new Settings()

/** The person asked for no animation. */
export function calm(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}
