using System;
using System.Collections;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Text;
using System.Threading.Tasks;

/// <summary>Asks the service who a player is, and which NFTs the player has.</summary>
static class Service
{
    const int Attempts = 3;
    static readonly string Url = GameServer.Setting("SERVICE_URL", "http://127.0.0.1:3000") + "/api/public/v1/player/";
    static readonly string Product = GameServer.Setting("PRODUCT_ID", "").ToLowerInvariant();
    static readonly HttpClient Client = new HttpClient { Timeout = TimeSpan.FromSeconds(30) };

    /// <summary>
    /// Returns the player's user id. The service verifies the signature, typ, iss, aud and exp of the player token, because
    /// Mono has no ES256.
    /// </summary>
    public static async Task<string> UserOf(string playerToken)
    {
        if (playerToken == "" || playerToken.Any(c => c < '!' || c > '~')) throw Failure.SignInAgain("This is no player token.");
        var details = await Get("details", playerToken);
        var part = playerToken.Split('.')[1].Replace('-', '+').Replace('_', '/');
        var claims = Encoding.UTF8.GetString(Convert.FromBase64String(part.PadRight((part.Length + 3) / 4 * 4, '=')));
        // Otherwise another game could sign in here with the token that the player gave it (D52).
        object game;
        if (Parse(claims).TryGetValue("client_id", out game) && !Product.Equals(game))
            throw Failure.SignInAgain("The player token is for another game.");
        return Convert.ToString(((IDictionary)details["data"])["userId"]);
    }

    /// <summary>Returns all of the player's allowlisted NFTs, never a part of them.</summary>
    public static async Task<List<object>> NftsOf(string playerToken, bool isRepeat = false)
    {
        var nfts = new List<object>();
        Dictionary<string, object> page;
        object cursor = "";
        do
        {
            page = await Get("tokens?cursor=" + Uri.EscapeDataString((string)cursor), playerToken);
            if (page.ContainsKey("code"))
            {
                // The wallets or the allowlist changed between two pages: begin again, once.
                if (isRepeat) throw Failure.TryLater(page["code"], 1);
                return await NftsOf(playerToken, true);
            }
            nfts.AddRange(((IEnumerable)page["data"]).Cast<object>());
            // A short or empty page need not be the last one: only the cursor tells.
        } while (page.TryGetValue("nextCursor", out cursor));
        return nfts;
    }

    /// <summary>Returns an answer, or that a cursor has expired. Waits while the service is unavailable or throttles.</summary>
    static async Task<Dictionary<string, object>> Get(string path, string playerToken)
    {
        for (var attempt = 1; ; attempt++)
        {
            var request = new HttpRequestMessage(HttpMethod.Get, Url + path);
            request.Headers.Add("X-Player-Token", playerToken);
            request.Headers.Add("X-Api-Key", GameServer.Setting("API_KEY", ""));
            HttpResponseMessage response;
            string text;
            try
            {
                response = await Client.SendAsync(request);
                text = await response.Content.ReadAsStringAsync();
            }
            catch (Exception error) when (error is HttpRequestException || error is IOException || error is TaskCanceledException)
            {
                throw Failure.TryLater(error.Message, 5);
            }
            var status = (int)response.StatusCode;
            if (status == 200) return Parse(text);
            // Only problem details have a code: answers of API Gateway and of proxies have not, and need not be JSON.
            var isProblem = response.Content.Headers.ContentType?.MediaType == "application/problem+json";
            var problem = isProblem ? Parse(text) : new Dictionary<string, object> { { "code", "" } };
            var code = (string)problem["code"];
            if (code == "cursor_expired") return problem;
            var cause = "HTTP " + status + " " + text;
            if (code == "invalid_player_token" || code == "player_token_expired") throw Failure.SignInAgain(cause);
            if (status != 429 && status != 503) throw new Failure(502, "failed", cause);
            // API Gateway sends no Retry-After when it throttles.
            var seconds = response.Headers.RetryAfter?.Delta?.TotalSeconds ?? attempt;
            if (attempt == Attempts || seconds > 10) throw Failure.TryLater(cause, seconds);
            await Task.Delay(TimeSpan.FromSeconds(seconds));
        }
    }

    static Dictionary<string, object> Parse(string json) =>
        GameServer.Json.Deserialize<Dictionary<string, object>>(json);
}
