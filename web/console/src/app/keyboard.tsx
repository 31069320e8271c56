import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { navigationOf } from '#app/navigation.ts'
import { isInPalette, openPalette, paletteStore, typeAhead, useWasOpened } from '#app/palette-store.ts'
import { useShell } from '#app/shell-context.ts'

const CommandPalette = lazy(() =>
  import('#app/command-palette.tsx').then(({ CommandPalette: component }) => ({ default: component })),
)

const KeyboardHelp = lazy(() =>
  import('#app/keyboard-help.tsx').then(({ KeyboardHelp: component }) => ({ default: component })),
)

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (paletteStore.getState().opened || !isInPalette(target)) &&
    (target.isContentEditable || target.closest('input, textarea, select, [role="dialog"]') !== null)
  )
}

/** The keys that work everywhere, the list of them behind `?`, and the command palette. */
export function Keyboard() {
  const navigate = useNavigate()
  const { api, session } = useShell()
  const [isHelpOpen, help] = useDisclosure()
  const isPaletteNeeded = useWasOpened()
  const hasPrefix = useRef(false)
  const entries = navigationOf(api, session.user.operator).flatMap((group) => group.entries)
  const { open: openHelp } = help

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey)) {
        event.preventDefault()
        return openPalette()
      }
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return
      if (typeAhead(event)) return event.preventDefault()
      if (isTyping(event.target)) return
      const entry = hasPrefix.current ? entries.find(({ shortcut }) => shortcut === event.key) : undefined
      hasPrefix.current = event.key === 'g'
      if (entry !== undefined) {
        event.preventDefault()
        void navigate({ to: entry.to })
      } else if (event.key === '/') {
        event.preventDefault()
        openPalette()
      } else if (event.key === '?') {
        event.preventDefault()
        openHelp()
      }
    }
    const forget = () => {
      hasPrefix.current = false
    }
    window.addEventListener('keydown', press)
    window.addEventListener('pointerdown', forget)
    return () => {
      window.removeEventListener('keydown', press)
      window.removeEventListener('pointerdown', forget)
    }
  })

  return (
    <>
      {isPaletteNeeded && (
        <Suspense fallback={null}>
          <CommandPalette />
        </Suspense>
      )}
      {isHelpOpen && (
        <Suspense fallback={null}>
          <KeyboardHelp onClose={help.close} entries={entries} />
        </Suspense>
      )}
    </>
  )
}
