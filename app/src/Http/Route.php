<?php

declare(strict_types=1);

namespace App\Http;

/** One kind of URI and the controller that answers it. */
final readonly class Route
{
    /**
     * @param class-string<Controller> $controller
     * @param array<string, string>    $requirements PCRE of the canonical form, by parameter
     */
    public function __construct(
        public string $method,
        public string $path,
        public string $controller,
        public array $requirements = [],
    ) {}
}
