/** Orders about the place that a test run gives: keep it as it is now, and return to what was kept. The worker follows them. */
import type { Network } from "./network.ts";
import { type OrderAnswer, PLACE_ORDERS, type ToWorker } from "./worker-messages.ts";

const OTHER_CONNECTION: OrderAnswer = { fault: "the plugin has another connection by now" };

export class PlaceOrders {
  readonly #network: Network;
  readonly #post: (message: ToWorker) => void;
  readonly #followed = new Map<number, (answer: OrderAnswer) => void>();
  #isKept = false;
  #lastOrder = 0;

  constructor(network: Network, post: (message: ToWorker) => void) {
    this.#network = network;
    this.#post = post;
  }

  /** The worker has followed an order. */
  answered(id: number, answer: OrderAnswer): void {
    this.#followed.get(id)?.(answer);
    this.#followed.delete(id);
  }

  async followAsync(word: string): Promise<OrderAnswer> {
    const [name = "", ...rest] = word.split(" ");
    const order = PLACE_ORDERS.find((each) => each === name);
    if (order === undefined) return { fault: `unknown order ${word}` };
    const isLater = order === "returnAfterScript";
    if ((order === "return" || isLater) && !this.#isKept) return { fault: "nothing was kept" };
    if (order === "return" && !this.#network.returnToKept()) return OTHER_CONNECTION;
    const { promise, resolve } = Promise.withResolvers<OrderAnswer>();
    const id = ++this.#lastOrder;
    this.#followed.set(id, resolve);
    this.#post({ kind: "order", id, order, detail: rest.join(" ") });
    const answer = await promise;
    if ("fault" in answer) return answer;
    if (isLater && !this.#network.returnToKept()) return OTHER_CONNECTION;
    if (order === "keep") {
      this.#network.keep();
      this.#isKept = true;
    }
    return answer;
  }
}
