import { getDefaultZIndex, Modal, Text } from '@mantine/core'
import type { GetSignInMethodsResponse } from '@wadi/protocol/gen/wadi/api_gateway/v1/sign_in_service_pb.ts'
import { SignInForm } from './sign-in-form.tsx'
import { t } from '../../language/t.ts'

interface SignInDialogProps {
  isOpen: boolean
  username: string
  methods: GetSignInMethodsResponse
}

/** Asks who is at a page whose session has ended to sign in again; the page stays open below it, with its own dialogs. */
export function SignInDialog({ isOpen, ...form }: SignInDialogProps) {
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
