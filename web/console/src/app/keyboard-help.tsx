import { Kbd, Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ModalDialog } from '#components/modal-dialog.tsx'
import type { NavigationEntry } from '#app/navigation.ts'

interface KeyboardHelpProps {
  readonly entries: readonly NavigationEntry[]
  readonly onClose: () => void
}

/** The list of keys behind `?`. */
export function KeyboardHelp({ entries, onClose }: KeyboardHelpProps) {
  const { t } = useTranslation()
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
    <ModalDialog
      opened
      onClose={onClose}
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
    </ModalDialog>
  )
}
