// What a page with explanations fetches, and one without never does.

export { Coach } from '../../state/coach.svelte'
export { default as Panel } from './Panel.svelte'
export { default as Steps } from './Steps.svelte'
