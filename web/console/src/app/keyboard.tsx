import { Kbd, Modal, Table } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { navigationOf } from '#app/navigation.ts'
import { openPalette } from '#app/palette-store.ts'
import { useApi } from '#app/shell-context.ts'

const CommandPalette = lazy(() =>
  import('#app/command-palette.tsx').then(({ CommandPalette: component }) => ({ default: component })),
)

/** How long after `g` the next key still counts. */
const SEQUENCE_MS = 1_500

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, textarea, select, [role="dialog"]') !== null)
  )
}

/** The keys that work everywhere, the list of them behind `?`, and the command palette. */
export function Keyboard() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const api = useApi()
  const [isHelpOpen, help] = useDisclosure()
  const prefixAt = useRef(0)
  const entries = navigationOf(api).flatMap((group) => group.entries)
  const { open: openHelp } = help

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey)) {
        event.preventDefault()
        return openPalette()
      }
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target))
        return
      const isSequence = event.timeStamp - prefixAt.current < SEQUENCE_MS
      prefixAt.current = event.key === 'g' ? event.timeStamp : 0
      const entry = isSequence ? entries.find(({ shortcut }) => shortcut === event.key) : undefined
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
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  })

  const rows: readonly (readonly [keys: readonly string[], text: string])[] = [
    [['/'], t('keyboard.search')],
    [['Ctrl K', '⌘ K'], t('keyboard.palette')],
    [['?'], t('keyboard.help')],
    [['↑', '↓'], t('keyboard.rows')],
    [['Enter'], t('keyboard.open')],
    [['Esc'], t('keyboard.close')],
    ...entries.flatMap(({ name, shortcut }): readonly (readonly [string[], string])[] =>
      shortcut === undefined ? [] : [[[`g ${shortcut}`], t(`navigation.${name}`)]],
    ),
  ]
  return (
    <>
      <Suspense fallback={null}>
        <CommandPalette />
      </Suspense>
      <Modal
        opened={isHelpOpen}
        onClose={help.close}
        title={t('keyboard.title')}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        <Table withRowBorders={false} verticalSpacing={4}>
          <Table.Tbody>
            {rows.map(([keys, text]) => (
              <Table.Tr key={text}>
                <Table.Td w={130}>
                  {keys.map((key) => (
                    <Kbd key={key} mr={4}>
                      {key}
                    </Kbd>
                  ))}
                </Table.Td>
                <Table.Td>{text}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Modal>
    </>
  )
}
