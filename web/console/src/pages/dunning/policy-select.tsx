import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useApiQuery } from '#components/loaded.tsx'

interface PolicySelectProps {
  readonly value: string | null
  readonly onChange: (id: string | null) => void
}

const MAX_POLICIES = 100

/** Without a policy the plan has its own number of attempts. */
export function PolicySelect({ value, onChange }: PolicySelectProps) {
  const { t } = useTranslation('dunning')
  const { data = [] } = useApiQuery(['dunning_policies', 'to_take'], async ({ quittance }, signal) => {
    const { data: found } = await quittance.dunningPolicies.list({ limit: MAX_POLICIES }, { signal })
    return found
  })
  return (
    <Select
      label={t('select.label')}
      placeholder={t('select.none')}
      clearable
      searchable
      value={value}
      data={data.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={onChange}
    />
  )
}
