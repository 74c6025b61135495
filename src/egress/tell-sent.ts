import type { Dispatcher } from "undici";

/**
 * An interceptor that calls `sent` when a request goes out on a connection, which undici says to handlers alone. Not with undici's own
 * DecoratorHandler: that fails on an informational answer (RFC 9110 15.2) before the final one.
 */
export function tellSent(sent: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, inner) =>
    dispatch(options, {
      onRequestStart(controller, context) {
        inner.onRequestStart?.(controller, context);
        if (!controller.aborted) sent();
      },
      onRequestUpgrade: (...heard) => inner.onRequestUpgrade?.(...heard),
      onResponseStart: (...heard) => inner.onResponseStart?.(...heard),
      onResponseData: (...heard) => inner.onResponseData?.(...heard),
      onResponseEnd: (...heard) => inner.onResponseEnd?.(...heard),
      onResponseError: (...heard) => inner.onResponseError?.(...heard),
    });
}
