import type { Product } from 'quittance'
import { useApiQuery } from '#components/loaded.tsx'

const MAX_PRODUCTS = 100

/** The newest products, for their names. */
export function useProducts(): readonly Product[] {
  const { data = [] } = useApiQuery(['products', 'names'], async ({ quittance }, signal) => {
    const page = await quittance.products.list({ limit: MAX_PRODUCTS }, { signal })
    return page.data
  })
  return data
}
