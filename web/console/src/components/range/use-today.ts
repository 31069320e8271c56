import { useQuery } from '@tanstack/react-query'
import { useApi, useTimeZone } from '#app/shell-context.ts'

/** The local date of the business, which is ahead where its clock was moved. */
export function useToday(): string {
  const api = useApi()
  const zone = useTimeZone()
  const { data } = useQuery({
    queryKey: api.key('clock'),
    enabled: api.can('admin:read') && api.environment === 'test',
    queryFn: ({ signal }) => api.quittance.sandbox.getClock({ signal }),
  })
  const now = data === undefined ? new Date() : new Date(data.now)
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(now)
}
