import { type RequestSubject, requestScope } from './request-scope.ts'

/** The subject of each request, for its log line (D72), noted as soon as it is known. */
export const requestSubject = {
  /** Notes a part of the subject of the current request. Does nothing outside of a request. */
  note: (known: RequestSubject): void => {
    const scope = requestScope.getStore()
    if (scope) Object.assign(scope.subject, known)
  },
  current: (): Readonly<RequestSubject> => requestScope.getStore()?.subject ?? {},
}
