import { NativeSelect, Radio, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BILLING } from '#app/api.ts'
import { useApi } from '#app/shell-context.ts'
import { DownloadDialog, useDownload } from '#components/download.tsx'
import { useApiQuery } from '#components/loaded.tsx'
import { useToday } from '#components/range/use-today.ts'

const FORMATS = ['pdf', 'facturx', 'xrechnung', 'peppol', 'ubl', 'cii'] as const
const MAX_ENTITIES = 100
/** Most countries require invoices to be kept this long. */
const YEARS = 10

/** Downloads the documents issued in a month as one ZIP. */
export function DownloadMonth({ onClose }: { readonly onClose: () => void }) {
  const { t, i18n } = useTranslation('invoices')
  const api = useApi()
  const today = useToday()
  const [chosen, setChosen] = useState<string>()
  const [format, setFormat] = useState<string>('pdf')
  const [entity, setEntity] = useState<string | null>(null)
  const { state, start, stop } = useDownload()
  const entities = useApiQuery(['legal_entities', 'to_take'], async ({ quittance }, signal) => {
    const { data } = await quittance.legalEntities.list({ limit: MAX_ENTITIES }, { signal })
    return data
  })
  const month = chosen ?? monthBefore(today)
  const isRunning = state.kind === 'running'
  const download = () =>
    start(
      api.downloadAddress(`${BILLING}/invoices/export.zip`, {
        month,
        format,
        ...(entity !== null && { legal_entity_id: entity }),
      }),
      `invoices-${month}.zip`,
    )
  const close = () => {
    stop()
    onClose()
  }
  return (
    <DownloadDialog
      title={t('month.title')}
      state={state}
      onClose={close}
      start={{ label: t('month.start'), run: download }}
    >
      <Text size="sm">{t('month.text')}</Text>
      <NativeSelect
        label={t('month.month')}
        data={monthsUntil(today, i18n.language)}
        value={month}
        disabled={isRunning}
        onChange={({ currentTarget: { value } }) => setChosen(value)}
      />
      {(entities.data?.length ?? 0) > 1 && (
        <Select
          label={t('column.seller')}
          placeholder={t('month.all_sellers')}
          clearable
          data={(entities.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={entity}
          disabled={isRunning}
          onChange={setEntity}
        />
      )}
      <Radio.Group label={t('month.format')} value={format} onChange={setFormat}>
        <Stack gap={6} mt={6}>
          {FORMATS.map((value) => (
            <Radio key={value} value={value} label={t(`month.${value}`)} disabled={isRunning} />
          ))}
        </Stack>
      </Radio.Group>
    </DownloadDialog>
  )
}

function monthBefore(today: string): string {
  return monthsAgo(today, 1).toISOString().slice(0, 7)
}

function monthsAgo(today: string, count: number): Date {
  const [year = 0, month = 1] = today.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1 - count, 1))
}

function monthsUntil(
  today: string,
  language: string,
): { group: string; items: { value: string; label: string }[] }[] {
  const name = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  const months = Array.from({ length: YEARS * 12 + 1 }, (_, count) => monthsAgo(today, count))
  const years = Map.groupBy(months, (month) => String(month.getUTCFullYear()))
  return [...years].map(([group, ofYear]) => ({
    group,
    items: ofYear.map((month) => ({ value: month.toISOString().slice(0, 7), label: name.format(month) })),
  }))
}
