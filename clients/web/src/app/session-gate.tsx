import { Center } from '@mantine/core'
import { useQuery } from '@connectrpc/connect-query'
import { SignInService } from '@wadi/protocol/gen/wadi/api_gateway/v1/sign_in_service_pb.ts'
import { type ReactNode, Suspense } from 'react'
import { ErrorState } from '../components/error-state.tsx'
import { Loading } from '../components/loading.tsx'
import { useCaller, useSharedSession } from '../server/caller.ts'
import { useSessionEnded } from '../server/session.ts'
import { firstPart } from '../components/lazy-part.ts'
import { t } from '../language/t.ts'

const SignInPage = firstPart(async () => (await import('../features/sign-in/sign-in-page.tsx')).SignInPage)
const SignInDialog = firstPart(
  async () => (await import('../features/sign-in/sign-in-dialog.tsx')).SignInDialog,
)

/**
 * Shows the pages to who is signed in, and to everybody where the server takes calls of everybody, else the sign-in. When a
 * session ends, the sign-in comes as a dialog over the page, so that nothing on it is lost.
 */
export function SessionGate({ children }: { children: ReactNode }) {
  const hasEnded = useSessionEnded()
  const caller = useCaller()
  useSharedSession()
  const methods = useQuery(SignInService.method.getSignInMethods, {}, { staleTime: Infinity })
  const failed = [caller, methods].find(({ isLoadingError }) => isLoadingError)
  if (failed)
    return (
      <Center component="main" h="100vh">
        <ErrorState
          title={t('The server does not answer')}
          error={failed.error}
          retry={() => void failed.refetch()}
        />
      </Center>
    )
  if (!caller.data || !methods.data) return <Loading height="100vh" />
  if (!caller.data.signedIn && !hasEnded && !methods.data.anonymous)
    return (
      <Suspense fallback={<Loading height="100vh" />}>
        <SignInPage methods={methods.data} />
      </Suspense>
    )
  return (
    <>
      {children}
      {/* It is loaded as soon as the page is shown: when the session ends, the server may have other files. */}
      <Suspense>
        <SignInDialog isOpen={hasEnded} username={caller.data.username} methods={methods.data} />
      </Suspense>
    </>
  )
}
