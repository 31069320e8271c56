import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { DownloadStatus, useDownload } from '#components/download.tsx'
import { plainQuery } from '#components/list/filter-language.ts'
import type { ListDefinition } from '#components/list/list-types.ts'

interface ExportButtonProps<Row> {
  readonly list: ListDefinition<Row>
  readonly path: string
  readonly filter: string
}

/** Exports all rows that the filter finds, not only those on the screen. */
export function ExportButton<Row>({ list, path, filter }: ExportButtonProps<Row>) {
  const { t } = useTranslation([list.name, 'components'])
  const api = useApi()
  const [isOpen, dialog] = useDisclosure()
  const { state, start, stop } = useDownload()
  const [isFiltered, setFiltered] = useState(true)
  const isRunning = state.kind === 'running'
  const isOver = state.kind === 'done' || state.kind === 'begun'
  const download = () => {
    const fileName = `${list.name}-${api.environment}-${new Date().toISOString().slice(0, 10)}.csv`
    const filterQuery = list.hasPlainFilters ? plainQuery(filter) : { filter }
    const query = { ...list.query, ...(isFiltered && filter !== '' && filterQuery) }
    return start(api.csvAddress(path, query), fileName)
  }
  const close = () => {
    dialog.close()
    stop()
  }
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconDownload size={14} aria-hidden />}
        onClick={dialog.open}
      >
        {t('components:export.export')}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={t('components:export.title', { list: t('title') })}
        closeOnClickOutside={!isRunning}
        closeButtonProps={{ 'aria-label': t('components:dialog.close') }}
      >
        <Stack gap="md">
          <Text size="sm">{t('components:export.text')}</Text>
          {filter !== '' && (
            <Checkbox
              label={t('components:export.filtered')}
              checked={isFiltered}
              disabled={isRunning}
              onChange={(event) => setFiltered(event.currentTarget.checked)}
            />
          )}
          <DownloadStatus state={state} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {t(isOver ? 'components:dialog.close' : 'components:dialog.cancel')}
            </Button>
            {!isOver && (
              <Button onClick={() => void download()} loading={isRunning}>
                {t('components:export.start')}
              </Button>
            )}
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
