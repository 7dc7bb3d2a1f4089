import { useMutation } from '@connectrpc/connect-query'
import { useNavigate } from '@tanstack/react-router'
import { textAt } from '@wadi/fields/json-fields.ts'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'

/** Stores a new Application and opens its page. */
export function useNewApplication() {
  const navigate = useNavigate()
  return useMutation(ApplicationService.method.createApplication, {
    onSuccess: ({ application }) => {
      const params = {
        namespace: textAt(application, 'metadata', 'namespace'),
        name: textAt(application, 'metadata', 'name'),
      }
      // What was typed is stored.
      void navigate({ to: '/applications/$namespace/$name', params, ignoreBlocker: true })
    },
  })
}
