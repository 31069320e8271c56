import { createSpotlight } from '@mantine/spotlight'
import { useSyncExternalStore } from 'react'

const [paletteStore, palette] = createSpotlight()

export { paletteStore }

let wasOpened = false

/** Whether the palette was opened since the page was loaded. Its script is not loaded before. */
export function useWasOpened(): boolean {
  return useSyncExternalStore(subscribe, () => wasOpened)
}

/** The text whose best result is to be opened as soon as it is known. */
let entered = ''
const listeners = new Set<() => void>()

export function enter(text: string): void {
  entered = text
  for (const listener of listeners) listener()
}

export function useEntered(): string {
  return useSyncExternalStore(subscribe, () => entered)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

let focusedBefore: Element | null = null

export function openPalette(): void {
  if (paletteStore.getState().opened) return
  wasOpened = true
  enter('')
  paletteStore.updateState((state) => ({ ...state, query: '' }))
  focusedBefore = document.activeElement
  palette.open()
}

/** Gives the focus back, unless somebody has put it elsewhere since. The library's own way takes it even then. */
export function returnFocus(): void {
  const focused = document.activeElement
  if (focused !== null && focused !== document.body && focused.closest('[role="dialog"]') === null) return
  if (focusedBefore instanceof HTMLElement) focusedBefore.focus({ preventScroll: true })
}

/** Whether the focus is in the palette, which still has it while it fades out. */
export function isInPalette(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-palette]') !== null
}

/** Changes the text of a field that may be drawn already. `updateState` would notify nobody. */
function write(query: string): void {
  paletteStore.setState({ ...paletteStore.getState(), query })
}

/** Takes a key that was pressed after the palette was opened, and before its field has the focus. Returns whether it did. */
export function typeAhead({ key, target }: KeyboardEvent): boolean {
  const { opened, query } = paletteStore.getState()
  if (!opened || isInPalette(target)) return false
  if (key === 'Enter') enter(query)
  else if (key === 'Backspace') write(query.slice(0, -1))
  else if (key.length === 1) write(query + key)
  else return false
  return true
}
