import { Code, ConnectError } from '@connectrpc/connect'
import { QueryClient } from '@tanstack/react-query'

const maxRetries = 3

/** The codes of errors that a retry may fix; a rejection stays one. */
const passing: readonly Code[] = [Code.Unavailable, Code.DeadlineExceeded, Code.Aborted, Code.Unknown]

/** The cache of all answers. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // Without a network a call fails at once and says so; waiting for one would look like work.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 5_000,
      retry: (count, error) => count < maxRetries && passing.includes(ConnectError.from(error).code),
    },
  },
})
