// A game's own server: the game sends a player token and gets the player's NFTs. The API key never leaves the server.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Net;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading.Tasks;
using System.Web.Script.Serialization;

/// <summary>A word for the game, with the status, and the seconds after which it can try again.</summary>
class Failure : Exception
{
    public readonly int Status;
    public readonly string Word;
    public readonly double RetryAfter;

    public Failure(int status, string word, object cause, double retryAfter = 0) : base(word + ": " + cause)
    {
        Status = status;
        Word = word;
        RetryAfter = retryAfter;
    }

    public static Failure SignInAgain(object cause) => new Failure(401, "sign_in_again", cause);

    public static Failure TryLater(object cause, double seconds) => new Failure(503, "try_again_later", cause, seconds);
}

static class GameServer
{
    public static readonly JavaScriptSerializer Json = new JavaScriptSerializer { MaxJsonLength = int.MaxValue };

    /// <summary>A variable of the environment, which the README describes.</summary>
    public static string Setting(string name, string standard) => Environment.GetEnvironmentVariable(name) ?? standard;

    static void Main()
    {
        if (Setting("API_KEY", "") == "") throw new Exception("Set API_KEY to an API key of your product.");
        // The default of two connections to one host would let players wait for each other.
        ServicePointManager.DefaultConnectionLimit = 100;
        var listener = new HttpListener();
        listener.Prefixes.Add("http://127.0.0.1:" + Setting("PORT", "8080") + "/");
        listener.Start();
        Console.WriteLine("The game server runs at http://127.0.0.1:" + Setting("PORT", "8080"));
        while (true)
        {
            var context = listener.GetContext();
            Task.Run(() => Handle(context));
        }
    }

    /// <summary>Answers GET /nfts with the header Authorization: Bearer and a player token.</summary>
    static async Task Handle(HttpListenerContext context)
    {
        var request = context.Request;
        try
        {
            if (request.HttpMethod != "GET" || request.RawUrl != "/nfts") throw new Failure(404, "not_found", request.RawUrl);
            var playerToken = Regex.Replace(request.Headers["Authorization"] ?? "", "^Bearer +", "", RegexOptions.IgnoreCase);
            var userId = await Service.UserOf(playerToken);
            var nfts = await Service.NftsOf(playerToken);
            Answer(context.Response, 200, new Dictionary<string, object> { { "userId", userId }, { "nfts", nfts } });
        }
        catch (Exception error)
        {
            var failure = error as Failure ?? new Failure(502, "failed", error);
            if (failure.Status > 404) Console.Error.WriteLine(failure.Message);
            if (failure.Status == 503) context.Response.AddHeader("Retry-After", failure.RetryAfter.ToString("0"));
            Answer(context.Response, failure.Status, new Dictionary<string, object> { { "error", failure.Word } });
        }
    }

    static void Answer(HttpListenerResponse response, int status, IDictionary body)
    {
        var bytes = Encoding.UTF8.GetBytes(Json.Serialize(body));
        response.StatusCode = status;
        response.ContentType = "application/json";
        // The list belongs to one player: no cache may keep it.
        response.AddHeader("Cache-Control", "no-store");
        response.Close(bytes, false);
    }
}
