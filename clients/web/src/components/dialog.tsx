import { Button, Group, Modal, type ModalProps, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useBlocker } from '@tanstack/react-router'
import { createContext, type ReactNode, useContext } from 'react'
import { useSessionEnded } from '../server/session.ts'
import { useFocusReturn } from './use-focus-return.ts'
import { t } from '../language/t.ts'

type Lost = 'text' | 'secret'

interface DialogProps extends Pick<ModalProps, 'size' | 'yOffset'> {
  title: ReactNode
  /** True while it has typed text that would be lost with it. */
  isTyped?: boolean
  /** True while it shows a secret that is never shown again, and that is not copied. */
  hasSecret?: boolean
  close: () => void
  children: ReactNode
}

const Leave = createContext<() => void>(() => undefined)

/**
 * A dialog that is open as long as it is drawn. Escape, a click beside it and its buttons close it, after a question if something would be
 * lost; then the focus is again where it was.
 */
export function Dialog({ title, isTyped, hasSecret, close, children, ...look }: DialogProps) {
  const [isAsked, { open: ask, close: stay }] = useDisclosure()
  const lost = hasSecret ? 'secret' : isTyped && 'text'
  const leave = lost ? ask : close
  const hasSessionEnded = useSessionEnded()
  useFocusReturn()
  return (
    <>
      <Modal
        opened
        onClose={leave}
        // Escape is an answer to the question, and closes nothing below the sign-in.
        closeOnEscape={!isAsked && !hasSessionEnded}
        title={title}
        styles={{ title: { overflowWrap: 'anywhere' } }}
        closeButtonProps={{ 'aria-label': t('Close the dialog') }}
        {...look}
      >
        <Leave value={leave}>{children}</Leave>
      </Modal>
      {isAsked && lost && <LeaveQuestion lost={lost} stay={stay} leave={close} />}
      {lost && <BeforeLeave lost={lost} />}
    </>
  )
}

interface DialogButtonsProps {
  /** The words of the button that closes the dialog; without them there is none. */
  leave?: string | undefined
  /** True if that button has the focus first. */
  isLeaveFirst?: boolean
  children?: ReactNode
}

/** The foot of a dialog: the button that closes it, and others. */
export function DialogButtons({ leave = t('Cancel'), isLeaveFirst = false, children }: DialogButtonsProps) {
  const close = useContext(Leave)
  return (
    <Group justify="flex-end">
      {leave !== '' && (
        <Button variant="default" onClick={close} data-autofocus={isLeaveFirst || undefined}>
          {leave}
        </Button>
      )}
      {children}
    </Group>
  )
}

/** Drawn while there is typed text that is not stored, asks before somebody leaves the page. */
export function UnsavedText() {
  return <BeforeLeave lost="text" />
}

function BeforeLeave({ lost }: { lost: Lost }) {
  const leaving = useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: true, withResolver: true })
  if (leaving.status !== 'blocked') return null
  return <LeaveQuestion lost={lost} stay={leaving.reset} leave={leaving.proceed} />
}

function LeaveQuestion({ lost, stay, leave }: { lost: Lost; stay: () => void; leave: () => void }) {
  const isText = lost === 'text'
  return (
    <Dialog title={isText ? t('Leave what you typed?') : t('Leave the new key?')} close={stay}>
      <Text size="sm" mb="md">
        {isText
          ? t('It is not stored. If you leave, it is lost.')
          : t('It is not copied, and is never shown again.')}
      </Text>
      <DialogButtons leave={t('Stay')} isLeaveFirst>
        <Button color="red" onClick={leave}>
          {t('Leave')}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
