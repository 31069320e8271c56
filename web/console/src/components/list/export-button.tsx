import { Button, Checkbox, Radio, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDownload } from '#components/icons.tsx'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { DownloadDialog, useDownload } from '#components/download.tsx'
import { plainQuery } from '#components/list/filter-language.ts'
import type { ListDefinition } from '#components/list/list-types.ts'
import { RangePicker } from '#components/range/range-picker.tsx'
import { datesOf, type Range, rangeText } from '#components/range/range.ts'
import { useToday } from '#components/range/use-today.ts'

interface ExportButtonProps<Row> {
  readonly list: ListDefinition<Row>
  readonly path: string
  readonly filter: string
  /** Those on the screen. */
  readonly columns: readonly string[]
}

/** Exports all rows that the filter finds, not only those on the screen. */
export function ExportButton<Row>({ list, path, filter, columns }: ExportButtonProps<Row>) {
  const { t, i18n } = useTranslation([list.name, 'components'])
  const api = useApi()
  const [isOpen, dialog] = useDisclosure()
  const { state, start, stop } = useDownload()
  const [isFiltered, setFiltered] = useState(true)
  const [isSpreadsheet, setSpreadsheet] = useState(false)
  const today = useToday()
  const [range, setRange] = useState<Range>({ period: 'this_month' })
  const dates = range.period === undefined ? range : datesOf(range.period, today)
  const isRunning = state.kind === 'running'
  const download = () => {
    const fileName = isSpreadsheet
      ? `${list.name}-${dates.from}-to-${dates.to}.csv`
      : `${list.name}-${api.environment}-${new Date().toISOString().slice(0, 10)}.csv`
    const filterQuery = list.hasPlainFilters ? plainQuery(filter) : { filter }
    const query = { ...list.query, ...(isFiltered && filter !== '' && filterQuery) }
    if (!isSpreadsheet || list.spreadsheet === undefined)
      return start(api.downloadAddress(path, query), fileName)
    const shown = list.columns
      .filter(({ id }) => columns.includes(id))
      .flatMap(({ exported = [] }) => exported)
    const chosen = [...new Set([...list.spreadsheet.columns, ...shown])].join(',')
    const sheet = { ...query, from: dates.from, to: dates.to, columns: chosen, language: i18n.language }
    return start(api.downloadAddress(list.spreadsheet.path, sheet), fileName)
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
      <DownloadDialog
        opened={isOpen}
        title={t('components:export.title', { list: t('title') })}
        state={state}
        onClose={close}
        start={{ label: t('components:export.start'), run: download }}
      >
        {list.spreadsheet === undefined ? (
          <Text size="sm">{t('components:export.text')}</Text>
        ) : (
          <Radio.Group
            aria-label={t('components:export.kind')}
            value={isSpreadsheet ? 'spreadsheet' : 'whole'}
            onChange={(kind) => setSpreadsheet(kind === 'spreadsheet')}
          >
            <Stack gap="xs">
              <Radio
                value="whole"
                label={t('components:export.whole')}
                description={t('components:export.text')}
                disabled={isRunning}
              />
              <Radio
                value="spreadsheet"
                label={t('components:export.spreadsheet')}
                description={t('components:export.spreadsheet_text')}
                disabled={isRunning}
              />
            </Stack>
          </Radio.Group>
        )}
        {isSpreadsheet && <RangePicker range={range} dates={dates} onChange={setRange} />}
        {isSpreadsheet && (
          <Text size="sm" c="dimmed">
            {rangeText(dates, i18n.language)}
          </Text>
        )}
        {filter !== '' && (
          <Checkbox
            label={t('components:export.filtered')}
            checked={isFiltered}
            disabled={isRunning}
            onChange={(event) => setFiltered(event.currentTarget.checked)}
          />
        )}
      </DownloadDialog>
    </>
  )
}
