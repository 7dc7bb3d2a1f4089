import { MantineProvider } from '@mantine/core'
import { TransportProvider } from '@connectrpc/connect-query'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { transport } from '../server/transport.ts'
import { queryClient } from './query-client.ts'
import { router } from './router.tsx'
import { SessionGate } from './session-gate.tsx'
import { styleNonce } from '../components/style-nonce.ts'
import { usePrinted } from '../components/use-printed.ts'
import { readableVariables, theme } from './theme.ts'
import { Toasts } from './toasts.tsx'

/** The console with everything around its pages: look, server, cache, session and routes. */
export function Providers() {
  const isPrinted = usePrinted()
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={readableVariables}
      defaultColorScheme="auto"
      // Paper is light; the choice stays as it is.
      {...(isPrinted && { forceColorScheme: 'light' as const })}
      getStyleNonce={styleNonce}
    >
      <TransportProvider transport={transport}>
        <QueryClientProvider client={queryClient}>
          <Toasts />
          <SessionGate>
            <RouterProvider router={router} />
          </SessionGate>
        </QueryClientProvider>
      </TransportProvider>
    </MantineProvider>
  )
}
