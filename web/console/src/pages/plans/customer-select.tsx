import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiQuery } from '#components/loaded.tsx'

interface CustomerSelectProps {
  readonly value: string | null
  readonly onChange: (uuid: string | null) => void
  readonly isRequired?: boolean
}

interface Found {
  readonly uuid: string
  readonly name?: string
  readonly reference_number: string
}

const SHOWN = 20

/** Finds a customer by a part of the name. */
export function CustomerSelect({ value, onChange, isRequired = true }: CustomerSelectProps) {
  const { t } = useTranslation('plans')
  const [text, setText] = useState('')
  const [query] = useDebouncedValue(text.trim(), 200)
  const { data = [] } = useApiQuery(
    ['customers', 'select', query],
    async (api, signal) => {
      const filter = query === '' ? {} : { filter: `name : "${query.replace(/["\\]/g, '\\$&')}"` }
      const { data: found } = await api.quittance.customers.list({ limit: SHOWN, ...filter }, { signal })
      return found
    },
    { placeholderData: keepPreviousData },
  )
  const chosen = useApiQuery(
    ['customers', value],
    (api, signal) => api.quittance.customers.get(value ?? '', { signal }),
    {
      enabled: value !== null,
    },
  )
  const options = new Map(data.map((customer) => [customer.uuid, labelOf(customer)]))
  if (chosen.data !== undefined && value !== null) options.set(value, labelOf(chosen.data))
  return (
    <Select
      label={t('column.customer')}
      placeholder={t('form.customer_hint')}
      required={isRequired}
      clearable={!isRequired}
      searchable
      value={value}
      data={[...options].map(([uuid, label]) => ({ value: uuid, label }))}
      // The service has searched already.
      filter={({ options: all }) => all}
      nothingFoundMessage={t('form.no_customer')}
      onSearchChange={(typed) => setText([...options.values()].includes(typed) ? '' : typed)}
      onChange={onChange}
    />
  )
}

function labelOf({ name, reference_number }: Found): string {
  return name === undefined ? reference_number : `${name} · ${reference_number}`
}
