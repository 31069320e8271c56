import { useState } from 'react'
import { useApi, useBusiness } from '#app/shell-context.ts'
import { useApiQuery } from '#components/loaded.tsx'

/**
 * The currency in which the business is paid most, or its own for a user who sees no reports. Empty until it is
 * known.
 */
function useMainCurrency(): string {
  const { currency = '' } = useBusiness()
  const isSeen = useApi().can('reports:read')
  const { data, isError } = useApiQuery(
    ['reports', 'totals', { period: 'today' }],
    ({ quittance }, signal) => quittance.reports.totals({ period: 'today' }, { signal }),
    { enabled: isSeen },
  )
  return data?.main_currency ?? (isSeen && !isError ? '' : currency)
}

/** A currency that is being entered: the main one until another is. */
export function useEnteredCurrency(first?: string): [string, (currency: string) => void] {
  const main = useMainCurrency()
  const [entered, setEntered] = useState(first)
  return [entered ?? main, (currency) => setEntered(currency.toUpperCase())]
}

export function isCurrency(text: string): boolean {
  return /^[A-Z]{3}$/.test(text)
}
