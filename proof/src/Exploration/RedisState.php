<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

/** All that is in the model at one moment. A Redis command is one step. */
final readonly class RedisState
{
    /**
     * @param int                             $database how often it was changed
     * @param int                             $told     changes that were acknowledged
     * @param int                             $words    given out, versions too, so none comes twice
     * @param int                             $runs     given out, of servers and of master_replid
     * @param array{RedisNode, RedisNode|null} $nodes   the first primary, and its replica
     * @param RedisNode                       $snapshot that the first one begins with anew
     * @param array{RedisClient, RedisClient} $clients
     * @param array{int, int, int, int}       $left     changes, kills or fallbacks, failovers, computes of the second
     */
    public function __construct(
        public int $database,
        public int $told,
        public int $words,
        public int $runs,
        public array $nodes,
        public RedisNode $snapshot,
        public array $clients,
        public array $left,
    ) {}

    /** @param list<string> $troubles kill, and failover with a way back */
    public static function first(array $troubles): self
    {
        $fails = \in_array('failover', $troubles, true);

        return new self(
            0,
            0,
            10,
            3,
            [new RedisNode(null, null, null, 1, 1), $fails ? new RedisNode(null, null, null, 2, 1, false) : null],
            new RedisNode(null, null, null, 0, 0),
            [new RedisClient(), new RedisClient()],
            [2, (int) \in_array('kill', $troubles, true), (int) $fails, 1],
        );
    }

    /**
     * @param array{RedisNode, RedisNode|null}|null   $nodes
     * @param array{RedisClient, RedisClient}|null    $clients
     * @param array{int, int, int, int}|null          $left
     */
    public function with(
        ?int $database = null,
        ?int $told = null,
        ?int $words = null,
        ?int $runs = null,
        ?array $nodes = null,
        ?RedisNode $snapshot = null,
        ?array $clients = null,
        ?array $left = null,
    ): self {
        return new self(
            $database ?? $this->database,
            $told ?? $this->told,
            $words ?? $this->words,
            $runs ?? $this->runs,
            $nodes ?? $this->nodes,
            $snapshot ?? $this->snapshot,
            $clients ?? $this->clients,
            $left ?? $this->left,
        );
    }

    public function withClient(int $number, RedisClient $client): self
    {
        $clients = $this->clients;
        $clients[$number] = $client;

        return $this->with(clients: [$clients[0], $clients[1]]);
    }

    public function withNode(int $number, RedisNode $node): self
    {
        return $this->with(nodes: $number === 0 ? [$node, $this->nodes[1]] : [$this->nodes[0], $node]);
    }

    public function key(): string
    {
        return md5(serialize($this), true);
    }
}
