import { QueryClient } from '@tanstack/react-query'

/** The SDK repeats what is safe to repeat, so that queries are not repeated here. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 10_000, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
})
