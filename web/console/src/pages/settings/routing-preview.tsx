import { Button, Group, List, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { ErrorState } from '#components/error-state.tsx'
import { useEnteredCurrency } from '#components/main-currency.ts'
import { Section } from '#components/section.tsx'
import type { Accounts } from '#pages/settings/routing.ts'

/** Which account a payment would go to by the saved rules, and why. Nothing is stored. */
export function RoutingPreview({ accounts }: { readonly accounts: Accounts }) {
  const { t, i18n } = useTranslation('settings')
  const api = useApi()
  const [amount, setAmount] = useState('100')
  const [currency, setCurrency] = useEnteredCurrency()
  const [brand, setBrand] = useState('')
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () =>
      api.quittance.routing.preview({
        amount: amount.trim(),
        currency: currency.trim(),
        ...(brand.trim() !== '' && { brand: brand.trim() }),
      }),
  })
  const nameOf = (id: string | null) => accounts.find((account) => account.id === id)?.name ?? id
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 1 })
  return (
    <Section title={t('routing.preview')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          mutate()
        }}
      >
        <Stack gap="sm">
          <Group gap="xs" align="flex-end">
            <TextInput
              size="xs"
              w={110}
              label={t('routing.amount')}
              inputMode="decimal"
              pattern="\d+(\.\d+)?"
              required
              withAsterisk={false}
              value={amount}
              onChange={(event) => setAmount(event.currentTarget.value)}
            />
            <TextInput
              size="xs"
              w={90}
              label={t('routing.when.currency')}
              maxLength={3}
              required
              withAsterisk={false}
              value={currency}
              onChange={(event) => setCurrency(event.currentTarget.value)}
            />
            <TextInput
              size="xs"
              w={110}
              label={t('routing.when.brand')}
              value={brand}
              onChange={(event) => setBrand(event.currentTarget.value)}
            />
            <Button size="xs" type="submit" variant="default" loading={isPending}>
              {t('routing.show')}
            </Button>
          </Group>
          {error !== null && <ErrorState error={error} />}
          {data !== undefined && (
            <div role="status">
              <Text size="sm" fw={600}>
                {data.account === null
                  ? t('routing.no_account')
                  : t('routing.goes_to', { account: nameOf(data.account) })}
              </Text>
              <Text size="sm" c="dimmed">
                {data.reason}
              </Text>
              <List size="sm" mt="xs">
                {data.candidates.map(({ id, left_out, success_rate }) => (
                  <List.Item key={id}>
                    {nameOf(id)}
                    {left_out !== null && `: ${left_out}`}
                    {success_rate !== null && ` (${percent.format(success_rate)})`}
                  </List.Item>
                ))}
              </List>
            </div>
          )}
        </Stack>
      </form>
    </Section>
  )
}
