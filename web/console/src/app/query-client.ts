import { QueryClient } from '@tanstack/react-query'

/**
 * The SDK repeats reads, so queries are not repeated here. Without a connection everything fails at once: a paused
 * write would be sent when nobody is looking any more.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      networkMode: 'always',
      staleTime: 10_000,
      refetchOnWindowFocus: true,
      refetchOnReconnect: true,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})
