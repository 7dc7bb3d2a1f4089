import { getDefaultZIndex, Modal, Text } from '@mantine/core'
import { useEffect } from 'react'
import type { GetSignInMethodsResponse } from '@wadi/protocol/gen/wadi/api_gateway/v1/sign_in_service_pb.ts'
import { hasSessionEnded } from '../../server/session.ts'
import { SignInForm } from './sign-in-form.tsx'
import { t } from '../../language/t.ts'

interface SignInDialogProps {
  isOpen: boolean
  username: string
  methods: GetSignInMethodsResponse
}

/** Asks who is at a page whose session has ended to sign in again; the page stays open below it, with its own dialogs. */
export function SignInDialog({ isOpen, ...form }: SignInDialogProps) {
  useEffect(() => {
    globalThis.addEventListener('keydown', keepDialogs, { capture: true })
    return () => globalThis.removeEventListener('keydown', keepDialogs, { capture: true })
  }, [])
  return (
    <Modal
      opened={isOpen}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={t('Your session has ended')}
      centered
      zIndex={getDefaultZIndex('max')}
    >
      <Text size="sm" mb="md">
        {t('Sign in again to go on. What you have filled in is still there.')}
      </Text>
      <SignInForm {...form} inOtherTab />
    </Modal>
  )
}

/** Escape closes what is open below: this listens first, as it is there before any other dialog. */
function keepDialogs(event: KeyboardEvent): void {
  if (event.key === 'Escape' && hasSessionEnded()) event.stopImmediatePropagation()
}
