import { Stack } from '@mantine/core'
import { useApiQuery } from '#components/loaded.tsx'
import { Money } from '#components/money.tsx'
import { Placeholder } from '#components/parts.tsx'

/** What a customer has paid to date, a line for each currency. */
export function Spend({ uuid }: { readonly uuid: string }) {
  const { data, isError } = useApiQuery(['customers', uuid, 'spend'], ({ quittance }, signal) =>
    quittance.customers.spend(uuid, { signal }),
  )
  if (data === undefined) return isError ? '—' : <Placeholder>…</Placeholder>
  if (data.length === 0) return '—'
  return (
    <Stack gap={0}>
      {data.map(({ currency, paid_total: amount }) => (
        <Money key={currency} amount={amount} currency={currency} />
      ))}
    </Stack>
  )
}
