import { notifications } from '@mantine/notifications'
import { ErrorText } from './error-text.tsx'

/** Says over the page that something failed, and why; it stays until it is closed. */
export function showError(title: string, error: unknown): void {
  notifications.show({ color: 'red', title, message: <ErrorText error={error} />, autoClose: false })
}
