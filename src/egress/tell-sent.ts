import { DecoratorHandler, type Dispatcher } from "undici";

/** An interceptor that calls `sent` when a request goes out on a connection, which undici says to handlers alone. */
export function tellSent(sent: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const inner: Dispatcher.DispatchHandler = new DecoratorHandler(handler);
    return dispatch(options, {
      onRequestStart(controller, context) {
        inner.onRequestStart?.(controller, context);
        if (!controller.aborted) sent();
      },
      onResponseStart: (...heard) => inner.onResponseStart?.(...heard),
      onResponseData: (...heard) => inner.onResponseData?.(...heard),
      onResponseEnd: (...heard) => inner.onResponseEnd?.(...heard),
      onResponseError: (...heard) => inner.onResponseError?.(...heard),
    });
  };
}
