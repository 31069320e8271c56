import { Button, Checkbox, Group, Modal, Progress, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDownload } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { ErrorState } from '#components/error-state.tsx'
import { type CsvProgress, downloadCsv } from '#components/list/csv-download.ts'
import { plainQuery } from '#components/list/filter-language.ts'
import type { ListDefinition } from '#components/list/list-types.ts'

interface ExportButtonProps<Row> {
  readonly list: ListDefinition<Row>
  readonly path: string
  readonly filter: string
}

type ExportState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running' | 'done'; readonly progress: CsvProgress }
  | { readonly kind: 'failed'; readonly error: unknown }

/** Exports all rows that the filter finds, not only those on the screen. */
export function ExportButton<Row>({ list, path, filter }: ExportButtonProps<Row>) {
  const { t, i18n } = useTranslation([list.name, 'components'])
  const api = useApi()
  const [isOpen, dialog] = useDisclosure()
  const [state, setState] = useState<ExportState>({ kind: 'idle' })
  const [isFiltered, setFiltered] = useState(true)
  const controller = useRef<AbortController>(null)
  const number = (value: number) => new Intl.NumberFormat(i18n.language).format(value)
  const start = async () => {
    const { signal } = (controller.current = new AbortController())
    const onProgress = (progress: CsvProgress) => setState({ kind: 'running', progress })
    const fileName = `${list.name}-${api.environment}-${new Date().toISOString().slice(0, 10)}.csv`
    const filterQuery = list.hasPlainFilters ? plainQuery(filter) : { filter }
    const query = { ...list.query, ...(isFiltered && filter !== '' && filterQuery) }
    try {
      onProgress({ rows: 0, bytes: 0 })
      const progress = await downloadCsv({ api, path, query, fileName, signal, onProgress })
      setState({ kind: 'done', progress })
    } catch (error) {
      const isCanceled = error instanceof DOMException && error.name === 'AbortError'
      setState(isCanceled ? { kind: 'idle' } : { kind: 'failed', error })
    }
  }
  const close = () => {
    controller.current?.abort()
    dialog.close()
    setState({ kind: 'idle' })
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
        closeOnClickOutside={state.kind !== 'running'}
        closeButtonProps={{ 'aria-label': t('components:dialog.close') }}
      >
        <Stack gap="md">
          <Text size="sm">{t('components:export.text')}</Text>
          {filter !== '' && (
            <Checkbox
              label={t('components:export.filtered')}
              checked={isFiltered}
              disabled={state.kind === 'running'}
              onChange={(event) => setFiltered(event.currentTarget.checked)}
            />
          )}
          {(state.kind === 'running' || state.kind === 'done') && (
            <div aria-live="polite">
              <Progress
                value={100}
                animated={state.kind === 'running'}
                color={state.kind === 'done' ? 'green' : 'indigo'}
                aria-label={t('components:export.progress')}
              />
              <Text size="sm" mt={6}>
                {t(`components:export.${state.kind}`, {
                  rows: number(Math.max(0, state.progress.rows)),
                  size: number(Math.ceil(state.progress.bytes / 1024)),
                })}
              </Text>
            </div>
          )}
          {state.kind === 'failed' && <ErrorState error={state.error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {t(state.kind === 'done' ? 'components:dialog.close' : 'components:dialog.cancel')}
            </Button>
            {state.kind !== 'done' && (
              <Button onClick={() => void start()} loading={state.kind === 'running'}>
                {t('components:export.start')}
              </Button>
            )}
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
