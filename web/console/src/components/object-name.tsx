import { TextLink } from '#components/links.tsx'
import { useApiQuery } from '#components/loaded.tsx'
import { useApi } from '#app/shell-context.ts'

const NAMES_KEPT_MS = 60_000
const MAX_PEOPLE = 1_000
const MAX_ACCOUNTS = 500

/** A link to a customer by name. Who may not read customers sees the id. */
export function CustomerLink({ uuid }: { readonly uuid: string }) {
  const { data } = useApiQuery(['customers', uuid], ({ quittance }, signal) =>
    quittance.customers.get(uuid, { signal }),
  )
  return (
    <TextLink to="/customers/$uuid" params={{ uuid }}>
      {data?.name ?? data?.reference_number ?? uuid}
    </TextLink>
  )
}

/** A link to an order by its reference. */
export function OrderLink({ number }: { readonly number: string }) {
  const { data } = useApiQuery(
    ['orders', number],
    async ({ quittance }, signal) => (await quittance.orders.get(number, {}, { signal })).order,
  )
  return (
    <TextLink to="/orders/$number" params={{ number }}>
      {data?.reference_number ?? number}
    </TextLink>
  )
}

/** The name of an acquirer account, or its id for whoever may not read accounts. */
export function AcquirerAccountName({ id }: { readonly id: string }) {
  const api = useApi()
  const { data } = useApiQuery(
    ['acquirer_accounts'],
    ({ quittance }, signal) =>
      quittance.acquirerAccounts.list({ limit: 100 }, { signal }).toArray({ limit: MAX_ACCOUNTS }),
    { enabled: api.can('admin:read') },
  )
  return <span title={id}>{data?.find((account) => account.id === id)?.name ?? id}</span>
}

/** The name of a member of the business, or the id of whoever else did something. */
export function PersonName({ id }: { readonly id: string }) {
  const api = useApi()
  const { data } = useApiQuery(
    ['members'],
    ({ quittance }, signal) =>
      quittance.members.list({ limit: 100 }, { signal }).toArray({ limit: MAX_PEOPLE }),
    { enabled: id.startsWith('usr_') && api.can('users:read'), staleTime: NAMES_KEPT_MS },
  )
  return <span title={id}>{data?.find((member) => member.id === id)?.name ?? id}</span>
}
