import { Group, TextInput } from '@mantine/core'
import type { Schemas } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BILLING } from '#app/api.ts'
import { ActionButton } from '#components/action-button.tsx'
import { ActionDialog } from '#components/action-dialog.tsx'
import { ListPage } from '#components/list/list-page.tsx'
import type { ListDefinition } from '#components/list/list-types.ts'
import { useToday } from '#components/range/use-today.ts'
import { Time } from '#components/time.tsx'

type ExchangeRate = Schemas['ExchangeRate']

const LIST: ListDefinition<ExchangeRate> = {
  name: 'exchange-rates',
  path: `${BILLING}/exchange_rates`,
  load: ({ quittance }, query, signal) => quittance.exchangeRates.list(query, { signal }),
  rowId: ({ date, base, quote }) => `${date} ${base} ${quote}`,
  columns: [
    { id: 'date', phone: 'detail', cell: ({ date }) => <Time at={date} /> },
    { id: 'base', phone: 'title', cell: ({ base }) => `1 ${base}` },
    { id: 'rate', align: 'right', phone: 'end', cell: ({ rate, quote }) => `${rate} ${quote}` },
  ],
  filters: [
    { field: 'date', kind: 'time' },
    { field: 'base', kind: 'exact' },
    { field: 'quote', kind: 'exact' },
  ],
}

/** Rates by which the tax of documents is in the currency of their seller, too. */
export function ExchangeRatesPage() {
  const { t } = useTranslation('exchange-rates')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ListPage
        list={LIST}
        actions={
          <ActionButton scope="billing:write" variant="filled" onClick={() => setOpen(true)}>
            {t('new.button')}
          </ActionButton>
        }
      />
      {isOpen && <NewRateDialog onClose={() => setOpen(false)} />}
    </>
  )
}

const RATE = /^\d{1,15}(?:\.\d{1,12})?$/
const CURRENCY = /^[A-Z]{3}$/

function NewRateDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('exchange-rates')
  const today = useToday()
  const [values, setValues] = useState({ date: today, base: '', quote: '', rate: '' })
  const { date, base, quote, rate } = values
  const field = (name: keyof typeof values) => ({
    label: t(`column.${name}`),
    value: values[name],
    required: true,
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setValues((before) => ({ ...before, [name]: name === 'date' ? value : value.toUpperCase() }))
    },
  })
  const isComplete = date !== '' && CURRENCY.test(base) && CURRENCY.test(quote) && RATE.test(rate)
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('new.title')}
      confirmLabel={t('new.confirm')}
      doneMessage={t('new.done')}
      effect={isComplete ? t('new.effect', values) : t('new.hint')}
      isDisabled={!isComplete}
      run={(quittance) => quittance.exchangeRates.set([{ date, base, quote, rate }])}
    >
      <TextInput {...field('date')} type="date" />
      <Group grow align="flex-start">
        <TextInput {...field('base')} maxLength={3} placeholder="EUR" data-autofocus />
        <TextInput {...field('quote')} maxLength={3} placeholder="USD" />
        <TextInput
          {...field('rate')}
          inputMode="decimal"
          maxLength={28}
          placeholder="1.0835"
          error={rate !== '' && !RATE.test(rate) && t('new.rate_invalid')}
        />
      </Group>
    </ActionDialog>
  )
}
