/** Fixtures in a test: what prompts end in, when receipts are processed, and what stays for the next test of the same Studio. */
import { expect, test } from "bun:test";
import { END, linesOf, runPlayAsync, sides } from "./play-window.ts";

const FIXTURES = {
  facts: JSON.stringify({
    marketplace: {
      owned: { 11: true, 12: ["Player1"], 13: ["Player2"] },
      products: {
        21: { info: { Name: "Coins", PriceInRobux: 25 }, prompt: "bought" },
        22: { prompt: "cancelled" },
        31: { prompt: "bought" },
        41: { info: { Name: "Shown" } },
      },
    },
    badges: { 5: { info: { Name: "First", IsEnabled: true } }, 6: { owned: true } },
    groups: {
      8: { info: { Name: "Team" }, members: { Player1: { rank: 200, role: "Admin" } } },
      9: { members: {} },
    },
    secrets: {},
  }),
  assets: {},
};

const PLAYER = `local player = game.Players:GetPlayers()[1] or game.Players.PlayerAdded:Wait()
  local Market, Badges = game:GetService("MarketplaceService"), game:GetService("BadgeService")`;
const playAsync = (server: string, client = "", start?: string) =>
  runPlayAsync(sides(server, client, start), "", undefined, { fixtures: FIXTURES });

test("passes, badges and groups are as the file says, and ids that it does not name are refused", async () => {
  const lines = await playAsync(`${PLAYER}
    local id = player.UserId
    print(Market:UserOwnsGamePassAsync(id, 11), Market:UserOwnsGamePassAsync(player.User, 12), Market:PlayerOwnsAsset(player, 13))
    print(Badges:UserHasBadgeAsync(id, 5), Badges:AwardBadgeAsync(id, 5), Badges:UserHasBadgeAsync(id, 5), Badges:AwardBadgeAsync(id, 5))
    print(#Badges:CheckUserBadgesAsync(id, { 5, 6 }), Badges:GetBadgeInfoAsync(5).Name)
    print(player:GetRankInGroupAsync(8), player:GetRoleInGroup(8), player:IsInGroupAsync(8))
    print(player:GetRankInGroup(9), player:GetRoleInGroupAsync(9), player:IsInGroup(9))
    local info = Market:GetProductInfo(21)
    info.Name = "changed"
    print(Market:GetProductInfoAsync(21, Enum.InfoType.Product).Name, game:GetService("GroupService"):GetGroupInfoAsync(8).Name)
    for _, ask in {
      function() return Market:UserOwnsGamePassAsync(id, 99) end,
      function() return Badges:UserHasBadgeAsync(id, 99) end,
      function() return player:IsInGroup(99) end,
      function() return Market:GetProductInfo(22) end,
      function() Market:PromptPurchase(player, 41) end,
    } do print(pcall(ask)) end
    ${END}`);
  expect(lines.slice(0, 6)).toEqual([
    "[server] true true false",
    "[server] false true true false",
    "[server] 2 First",
    "[server] 200 Admin true",
    "[server] 0 Guest false",
    "[server] Coins Team",
  ]);
  expect(lines).toHaveLength(11);
  for (const line of lines.slice(6))
    expect(line).toMatch(
      /^\[server\] false .*, which no --fixtures file names, is not available in headless Studio/,
    );
});

const RECEIPT = `Market.ProcessReceipt = function(receipt)
    print("receipt", receipt.PlayerId == player.UserId, receipt.ProductId, receipt.CurrencySpent, receipt.CurrencyType.Name,
      receipt.PlaceIdWherePurchased, #receipt.PurchaseId, receipt.ProductPurchaseChannel.Name)
    return Enum.ProductPurchaseDecision.PurchaseGranted
  end`;

test("a product that is bought makes a receipt on the server, one that is cancelled makes none", async () => {
  const lines = await playAsync(
    `${PLAYER} ${RECEIPT}
    Market.PromptProductPurchaseFinished:Connect(function(userId, id, isBought) print("closed", userId == player.UserId, id, isBought) end)
    Market:PromptProductPurchase(player, 22)
    Market.PromptProductPurchaseFinished:Wait()
    Market:PromptProductPurchase(player, 21)
    print("goes on")
    Market.PromptProductPurchaseFinished:Wait()
    task.wait(0.1) ${END}`,
  );
  expect(lines).toEqual([
    "[server] closed true 22 false",
    "[server] goes on",
    "[server] closed true 21 true",
    "[server] receipt true 21 25 Robux 0 36 InExperience",
  ]);
});

test("bound handlers take their products, one without a filter the others, and what no handler takes goes to the callback", async () => {
  const lines = await playAsync(
    `${PLAYER} ${RECEIPT}
    local Product = Enum.ReceiptType.DeveloperProduct
    local function buy(id)
      Market:PromptProductPurchase(player, id)
      Market.PromptProductPurchaseFinished:Wait()
      task.wait(0.1)
    end
    local function handler(name, decision)
      return function(receipt)
        print(name, receipt.ProductId, receipt.ReceiptType.Name)
        return Enum.ReceiptDecision[decision]
      end
    end
    local late = Market:BindReceiptHandler(Product, handler("late", "NotProcessedYet"), { 21 })
    local other = Market:BindReceiptHandler(Product, handler("other", "Processed"))
    print(pcall(function() Market:BindReceiptHandler(Product, print, { 21 }) end))
    print(pcall(function() Market:BindReceiptHandler(Product, print) end))
    local Sender = Enum.ReceiptType.RobuxTransferSender
    print(pcall(function() Market:BindReceiptHandler(Sender, print, { 21 }) end))
    local sent = Market:BindReceiptHandler(Sender, print)
    print(pcall(function() Market:BindReceiptHandler(Sender, print) end))
    sent:Disconnect()
    buy(21) buy(31)
    late:Disconnect()
    buy(31)
    other:Disconnect()
    buy(31)
    ${END}`,
  );
  const calls = lines.slice(4);
  for (const refusal of lines.slice(0, 4)) expect(refusal).toStartWith("[server] false ");
  expect(lines[2]).toContain("A filter is not supported for the ReceiptType RobuxTransferSender");
  expect(calls.slice(0, 2)).toEqual([
    "[server] late 21 DeveloperProduct",
    "[server] late 21 DeveloperProduct",
  ]);
  expect(calls.slice(2, 5).toSorted()).toEqual([
    "[server] other 21 DeveloperProduct",
    "[server] other 31 DeveloperProduct",
    "[server] other 31 DeveloperProduct",
  ]);
  expect(calls.slice(5)).toEqual([expect.stringContaining("receipt true 31")]);
});

test("a client prompts its own player, both sides hear of the end, and the pass is the player's", async () => {
  const lines = await playAsync(
    `${PLAYER} ${RECEIPT}
    Market.PromptGamePassPurchaseFinished:Wait()
    print(Market:UserOwnsGamePassAsync(player.UserId, 31))
    Market.PromptProductPurchaseFinished:Wait()
    task.wait(0.1) ${END}`,
    `local Market, player = game:GetService("MarketplaceService"), game.Players.LocalPlayer
    print(Market:UserOwnsGamePassAsync(player.UserId, 31))
    task.wait(0.1)
    Market:PromptGamePassPurchase(player, 31)
    local who, id, isBought = Market.PromptGamePassPurchaseFinished:Wait()
    print(who == player, id, isBought, Market:UserOwnsGamePassAsync(player.UserId, 31))
    Market:PromptProductPurchase(player, 21)`,
  );
  expect(linesOf("[client]", lines)).toEqual(["[client] false", "[client] true 31 true true"]);
  expect(linesOf("[server]", lines)).toEqual(["[server] true", expect.stringContaining("receipt true 21")]);
});

test("a purchase that is not processed yet comes again with the next one, and when its player joins again", async () => {
  const server = `${PLAYER}
    local round, count = workspace:GetAttribute("Round"), 0
    Market.ProcessReceipt = function(receipt)
      count += 1
      print(round, receipt.ProductId)
      if round == 1 then
        if count == 2 then error("not today") end
        return Enum.ProductPurchaseDecision.NotProcessedYet
      end
      return Enum.ProductPurchaseDecision.PurchaseGranted
    end
    if round == 1 then
      Market:PromptProductPurchase(player, 21)
      Market.PromptProductPurchaseFinished:Wait()
      task.wait(0.1)
      Market:PromptProductPurchase(player, 21)
      Market.PromptProductPurchaseFinished:Wait()
    end
    task.wait(0.1) ${END}`;
  const rounds = `for round = 1, 3 do workspace:SetAttribute("Round", round) Tests:ExecutePlayModeAsync({}) end`;
  const lines = await playAsync(server, "", rounds);
  expect(lines.filter((line) => / 21$/.test(line))).toEqual([
    "[server] 1 21",
    "[server] 1 21",
    "[server] 1 21",
    "[server] 2 21",
    "[server] 2 21",
  ]);
  expect(lines.join("\n")).toContain("not today");
});
