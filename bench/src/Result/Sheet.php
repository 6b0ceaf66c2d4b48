<?php

declare(strict_types=1);

namespace Larder\Bench\Result;

/** Who a subject is and on what terms it was measured (the fairness sheet). */
final readonly class Sheet
{
    /**
     * @param string                $subject id: `memcached-tuned`, `phpredis@2`
     * @param array<string, string> $terms such as "protocol" => "ascii", "TCP_NODELAY" => "on", "compression" => "none"
     */
    public function __construct(
        public string $subject,
        public string $title,
        public Role $role,
        public array $terms,
    ) {}
}
