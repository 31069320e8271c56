import { useCallback, useSyncExternalStore } from 'react'

const PREFIX = 'quittance.'
const listeners = new Set<() => void>()

/** Reads JSON that this browser keeps. Private windows may refuse storage, and another version may have written it. */
export function readStored<Value>(
  key: string,
  isValid: (value: unknown) => value is Value,
): Value | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(PREFIX + key) ?? 'null')
    return isValid(value) ? value : undefined
  } catch {
    return undefined
  }
}

export function writeStored(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(PREFIX + key)
    else localStorage.setItem(PREFIX + key, JSON.stringify(value))
  } catch {
    // The setting then lasts as long as the page.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** A stored value that follows changes in other tabs. */
export function useStored<Value>(
  key: string,
  isValid: (value: unknown) => value is Value,
): [Value | undefined, (value: Value | undefined) => void] {
  const text = useSyncExternalStore(subscribe, () => {
    try {
      return localStorage.getItem(PREFIX + key)
    } catch {
      return null
    }
  })
  const write = useCallback((value: Value | undefined) => writeStored(key, value), [key])
  return [text === null ? undefined : readStored(key, isValid), write]
}
